// Each package's tsconfig.json, derived from its package.json: `tsc -b` builds the workspace in one process in the
// order of these references. Written by `npm run sync`; a test fails when one has drifted.
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join, relative } from 'node:path';

const tops = ['packages', 'plugins'];

/** Every built package of the workspace: its folder (relative to `root`) and its manifest. */
export function packagesOf(root) {
  return tops
    .flatMap(top => (existsSync(join(root, top)) ? readdirSync(join(root, top)).map(name => `${top}/${name}`) : []))
    .filter(folder => existsSync(join(root, folder, 'package.json')))
    .sort()
    .map(folder => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }));
}

/** The text that `folder`'s tsconfig.json must have, given all packages. */
export function tsconfigOf(entry, packages) {
  const names = {
    ...entry.manifest.dependencies,
    ...entry.manifest.peerDependencies,
    ...entry.manifest.devDependencies,
  };
  const references = packages
    .filter(other => other.manifest.name in names)
    .map(other => ({ path: relative(entry.folder, other.folder) }));
  const head = '{\n  "extends": "../../tsconfig.build.json"';
  if (references.length === 0) return `${head}\n}\n`;
  const rows = references.map(({ path }) => `{ "path": "${path}" }`).join(', ');
  return `${head},\n  "references": [${rows}]\n}\n`;
}
