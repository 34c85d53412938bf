// Seeded records in the jev-choice/1.0 format, of any number and size: the same arguments give the same bytes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

const syllables = 'ka lo mi ren tas vor del ish om pra que sin tur wel zan bri cho fen gud hal'.split(' ');

/** A state of about `bytes` bytes: messages of words, numbers of every spelling, escapes and nesting. */
export function makeState(seed, bytes) {
  let chance = createHash('sha256').update(String(seed)).digest().readUInt32LE();
  // The high bits: the low ones of such a generator repeat after a few steps.
  const next = below => Math.floor(((chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0) / 2 ** 32) * below);
  const word = () => Array.from({ length: 1 + next(3) }, () => syllables[next(syllables.length)]).join('');
  const messages = [];
  for (let size = 40; size < bytes;) {
    const text = Array.from({ length: 20 + next(60) }, word).join(' ');
    const role = next(2) ? 'user' : 'assistant';
    const message = `{"role":"${role}","content":"${text}\\n\\u2028 \\"${next(1000)}\\"","cost":${next(9)}.${next(90)}0,"n":${next(4294967295)}${next(4294967295)}}`;
    messages.push(message);
    size += message.length + 1;
  }
  return `{"messages":[${messages.join(',')}]}`;
}

/** One original record of question `at` as a line without its line feed. */
export function makeRecord(at, bytes) {
  const options = ['1', '0', '-1'].map(
    id => `{"id":"${id}","canonical_id":"${id}","description":"Option ${id} of ${at}."}`,
  );
  return (
    `{"schema_version":"jev-choice/1.0","id":"q${at}::v0_original","base_id":"q${at}","group_id":"g${at >> 2}","dataset":"bench",` +
    `"split":"test","state":${makeState(at, bytes)},"instructions":"Which option fits?","options":[${options.join(',')}],` +
    `"gold":"${['1', '0', '-1'][at % 3]}","source":{"row":${at}},"metadata":{}}`
  );
}

/** Writes `count` records with states of `bytes` bytes into `file`. */
export async function writeRecords(file, count, bytes) {
  const stream = createWriteStream(file);
  for (let at = 0; at < count; at++) {
    if (!stream.write(`${makeRecord(at, bytes)}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}
