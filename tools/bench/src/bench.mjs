// npm run bench [name]: one table a bench. Data lands in a temporary folder and is removed.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeRecords } from './make-records.mjs';
import { plantFaults } from './plant-faults.mjs';
import { measure, startServer } from './measure.mjs';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/holdfast.js', import.meta.url));

const recipe = url => `recipe: bench
datasets: [{ use: records, with: { file: ./base.jsonl } }]
perturbations: [order, label, format]
models:
  - { id: server, use: systemone, with: { model: bench-1, base_url: "${url}" }, limits: { concurrency: 32 } }
`;

/** Building and running `count` questions of `bytes` bytes against a served model: what it costs, and the peak memory. */
async function memory({ count, bytes }) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const server = await startServer(0);
  try {
    await writeRecords(join(folder, 'base.jsonl'), count, bytes);
    await writeFile(join(folder, 'recipe.yaml'), recipe(server.url));
    const rows = [];
    for (const stage of ['build', 'run']) {
      const cost = await measure([bin, stage, 'recipe.yaml', '--out', 'run'], { cwd: folder });
      const { size } = await stat(join(folder, 'run/records/versions.jsonl'));
      rows.push({
        stage,
        questions: count,
        'kB a state': Math.round(bytes / 1000),
        'MB of versions': Math.round(size / 1e6),
        'wall s': Number(cost.wall.toFixed(1)),
        'CPU s': Number(cost.cpu.toFixed(1)),
        'peak MB': Math.round(cost.peakMb),
      });
    }
    console.table(rows);
    return rows.every(row => row['peak MB'] < 250);
  } finally {
    server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Verifying one large file: speed against sha256sum and wc over the same bytes, peak memory, and what it finds. */
async function verifying({ questions, bytes }) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  try {
    await writeRecords(join(folder, 'base.jsonl'), questions, bytes);
    const operators = 'order, label, format, context, paraphrase';
    await writeFile(
      join(folder, 'recipe.yaml'),
      recipe('http://127.0.0.1:9').replace('order, label, format', operators),
    );
    await measure([bin, 'build', 'recipe.yaml', '--out', 'run'], { cwd: folder });
    const file = join(folder, 'run/records/versions.jsonl');
    const { size } = await stat(file);
    const rows = [];
    for (let round = 0; round < 3; round++) {
      const plain = await timed('sh', ['-c', 'sha256sum "$0" && wc -l "$0"', file]);
      const cost = await measure([bin, 'verify', file], { cwd: folder });
      const ratio = Number((cost.wall / plain).toFixed(2));
      rows.push({
        MB: Math.round(size / 1e6),
        'sha256sum + wc s': Number(plain.toFixed(2)),
        'verify s': Number(cost.wall.toFixed(2)),
        ratio,
        'peak MB': Math.round(cost.peakMb),
      });
    }
    console.table(rows);
    const ratios = rows.map(row => row.ratio).sort((a, b) => a - b);
    const found = await plantFaults(bin, file, join(folder, 'planted.jsonl'));
    console.table(found);
    return ratios[1] <= 2 && rows.every(row => row['peak MB'] < 250) && found.every(row => row.found);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timed(command, args) {
  const started = performance.now();
  const [code] = await once(spawn(command, args, { stdio: 'ignore' }), 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  return (performance.now() - started) / 1000;
}

const benches = {
  'verify-large': () => verifying({ questions: 2_000, bytes: 90_000 }),
  'memory-small': () => memory({ count: 20_000, bytes: 1_500 }),
  'memory-large': () => memory({ count: 2_000, bytes: 90_000 }),
};

const [name] = process.argv.slice(2);
if (name !== undefined && !(name in benches)) {
  console.error(`there is no bench ${name}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
let held = true;
for (const [key, bench] of Object.entries(benches)) {
  if (name !== undefined && name !== key) continue;
  console.log(`\n${key}`);
  held = (await bench()) && held;
}
console.log(held ? 'every bound holds' : 'a bound does NOT hold');
process.exitCode = held ? 0 : 1;
