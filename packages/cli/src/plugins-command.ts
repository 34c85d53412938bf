import { findPlugins } from '@holdfast/engine';
import { exits } from './exit-code.ts';
import { plainText } from './plain-text.ts';

/** `holdfast plugins`. */
export async function pluginsCommand({ json = false }: { readonly json?: boolean }): Promise<number> {
  const plugins = await findPlugins(process.cwd());
  for (const plugin of plugins) {
    if (json) process.stdout.write(`${JSON.stringify(plugin)}\n`);
    else {
      const line = `${plugin.kind.padEnd(13)}${plugin.name.padEnd(16)}${plugin.version.padEnd(9)}${plugin.description}`;
      process.stdout.write(`${plainText(line)}\n`);
    }
  }
  return exits.done;
}
