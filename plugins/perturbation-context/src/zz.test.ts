import { readFileSync, readdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { it } from 'vitest';
import { json, readRecord, JsonText } from '@holdfast/core';
import { assembleVersion } from '@holdfast/kit/testing';
import plugin from './plugin.ts';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
it('time', async () => {
  const lines = readFileSync('/work/shared/upstream/agentprocess/data/AgentProcessBench/hotpotqa.first220.jsonl', 'utf8').split('\n').filter(Boolean).slice(0, 200);
  const recs = lines.map((l, i) => readRecord(json.value({ id: `${i}::v0`, base_id: `${i}`, group_id: `${i}`, dataset: 'd', state: JsonText.parse(l), instructions: 'Which?',
    options: [['1','Effective'],['0','Neutral step'],['-1','Harmful: wrong']].map(([a,b])=>({id:a!,canonical_id:a!,description:b!})), gold: '1', source: {} }).bytes));
  const size = recs.reduce((a, r) => a + r.state.byteLength, 0) / recs.length;
  const op = plugin.create(plugin.options.parse({}), { env: () => undefined, folder: '' });
  let t0 = performance.now(); let n = 0, nul = 0; const made = [];
  for (const [i, r] of recs.entries()) {
    const v = await op.apply(r, { sha256, writer: null, random: null as never, donors: { async *of() { for (let k = 1; k < recs.length; k++) { n++; yield recs[(i + k) % recs.length]!; } } } });
    if (v === null) nul++; else made.push([r, assembleVersion(r, v, op)] as const);
  }
  console.log('size', size, 'apply ms', (performance.now() - t0) / recs.length, 'donors', n / recs.length, 'null', nul);
  t0 = performance.now();
  let bad = 0;
  for (const [r, v] of made) bad += op.check(r, v, { sha256 }).length;
  console.log('check ms', (performance.now() - t0) / recs.length, bad);
  for (const [, v] of made.slice(0, 2)) console.log((v.state.lossyValue() as { auxiliary_case: string }).auxiliary_case.slice(0, 1500));
  // big
  const big = { ...recs[0]!, state: json.string(lines.join(' ').slice(0, 90_000)) };
  t0 = performance.now();
  for (let i = 0; i < 20; i++) await op.apply(big, { sha256, writer: null, random: null as never, donors: { async *of() { yield recs[199]!; } } });
  console.log('90kB apply ms', (performance.now() - t0) / 20);
  const evil = { ...recs[0]!, state: json.string('a/'.repeat(500_000)) };
  t0 = performance.now();
  await op.apply(evil, { sha256, writer: null, random: null as never, donors: { async *of() { yield evil; yield {...evil, group_id: 'x', base_id: 'y'}; yield recs[199]!; } } });
  console.log('evil ms', performance.now() - t0);
});
