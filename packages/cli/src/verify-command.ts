import { verify, type Finding } from '@holdfast/engine';
import { exits } from './exit-code.ts';
import { plainText } from './plain-text.ts';

/** Warnings are told in full only this often; all are counted. */
const WARNINGS_SHOWN = 10;

/** `holdfast verify`. */
export async function verifyCommand(path: string, { json = false }: { readonly json?: boolean }): Promise<number> {
  const say = (line: string) => process.stdout.write(`${plainText(line)}\n`);
  let warnings = 0;
  const tell = (finding: Finding) => {
    if (json) {
      process.stdout.write(`${JSON.stringify({ type: 'finding', ...finding })}\n`);
      return;
    }
    if (finding.severity === 'warning' && ++warnings > WARNINGS_SHOWN) return;
    say(`${finding.severity}: ${finding.place}: ${finding.rule}: ${finding.message}`);
  };
  const result = await verify(path, tell);
  if (json) {
    process.stdout.write(`${JSON.stringify({ type: 'result', ...result })}\n`);
  } else {
    if (warnings > WARNINGS_SHOWN) say(`and ${warnings - WARNINGS_SHOWN} more warnings (--json lists all)`);
    for (const { version, records, operator } of result.checked) {
      const by = operator === null ? 'no operator at hand: only the pair was checked' : `held to ${operator}`;
      say(`${version}: ${records} records${version === 'v0_original' ? '' : `, ${by}`}`);
    }
    const hashes = result.manifest
      ? 'hashes and counts as in the manifest are checked'
      : 'there is no manifest to hold it to';
    say(`${result.file}: ${result.records} records of ${result.questions} questions; ${hashes}`);
    say(`${result.violations} violations, ${result.warnings} warnings`);
  }
  return result.violations > 0 ? exits.failed : exits.done;
}
