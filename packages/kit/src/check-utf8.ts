import { isUtf8 } from 'node:buffer';
import { firstNotUtf8 } from './read-lines.ts';

const nothing = Buffer.alloc(0);

/**
 * A byte stream as it is, less one byte order mark at its start, cut between characters only. Where it stops being
 * UTF-8 everything before is given first, and then what `fail` makes of the offset (behind the mark) is thrown.
 */
export async function* checkUtf8(
  source: AsyncIterable<Uint8Array>,
  fail: (offset: number, byte: number) => Error,
): AsyncGenerator<Buffer, void, undefined> {
  let offset = 0;
  let started = false;
  let rest: Buffer = nothing;
  const take = function* (last: boolean) {
    if (!started && (last || rest.length >= 3)) {
      started = true;
      if (rest[0] === 0xef && rest[1] === 0xbb && rest[2] === 0xbf) rest = rest.subarray(3);
    }
    const end = !started ? 0 : last ? rest.length : wholeCharacters(rest);
    const whole = rest.subarray(0, end);
    if (!isUtf8(whole)) {
      const good = firstNotUtf8(whole);
      if (good > 0) yield whole.subarray(0, good);
      throw fail(offset + good, whole[good]!);
    }
    rest = rest.subarray(end);
    offset += end;
    if (end > 0) yield whole;
  };
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    yield* take(false);
  }
  yield* take(true);
}

/** The length without a character at the end whose last bytes have not come yet. */
function wholeCharacters(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return at + width > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}
