// Faults planted into a large file of records, one at a time, and whether `holdfast verify` finds each.
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';

const faults = {
  'a swapped gold': line => line.replace(/"gold":"([^"]+)"/, (_, id) => `"gold":"${id === '1' ? '0' : '1'}"`),
  'a changed state': line => line.replace('"role":"user"', '"role":"usr"'),
  'a missing version': () => null,
  'a duplicate id': line => `${line}\n${line}`,
  'a wrong parent': line => line.replace(/"parent_id":"[^"]*"/, '"parent_id":"other"'),
};

/** Plants each fault into the first v1_order record of the last third of `file`; verify must exit with 1. */
export async function plantFaults(bin, file, planted) {
  const rows = [];
  for (const [fault, change] of Object.entries(faults)) {
    await copyWith(file, planted, change);
    const child = spawn(process.execPath, [bin, 'verify', planted], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', chunk => (said += chunk));
    const [code] = await once(child, 'close');
    const first = said.split('\n').find(line => line.startsWith('violation')) ?? '';
    rows.push({ fault, found: code === 1 && first !== '', first: first.replace(/^.*jsonl:?\d*: /, '').slice(0, 70) });
  }
  return rows;
}

async function copyWith(from, to, change) {
  const output = createWriteStream(to);
  let at = 0;
  let done = false;
  for await (const line of createInterface({ input: createReadStream(from) })) {
    at++;
    let written = line;
    if (!done && at > 8_000 && line.includes('"version":"v1_order"')) {
      written = change(line);
      done = true;
    }
    if (written !== null && !output.write(`${written}\n`)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}
