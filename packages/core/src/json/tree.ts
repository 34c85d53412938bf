// The lossless tree: for the few places that must look into a value. Numbers keep their spelling, members their order
// and duplicates, and every node knows its bytes.
import { JsonText, type JsonKind } from './json-text.ts';
import { scanString, scanValue, skipSpace } from './scan.ts';

/** One value of the tree. `text` is exactly its bytes in the source. */
export interface JsonNode {
  readonly kind: JsonKind;
  readonly text: JsonText;
  /** Of an object, in order, duplicates included; empty for other kinds. */
  readonly members: readonly JsonTreeMember[];
  /** Of an array; empty for other kinds. */
  readonly items: readonly JsonNode[];
}

export interface JsonTreeMember {
  readonly key: string;
  readonly value: JsonNode;
}

const none: readonly never[] = [];

/** The tree of `text`, in one pass. Recursion is bounded by the scanner's depth limit, which `text` has passed. */
export function readTree(text: JsonText): JsonNode {
  return new TreeReader(text.bytes).node();
}

/** Reads a text that is known to be JSON: only what separates values is looked at. */
class TreeReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  node(): JsonNode {
    const start = this.#at;
    const first = this.#bytes[start];
    if (first !== 0x7b && first !== 0x5b) {
      this.#at = scanValue(this.#bytes, start);
      const text = this.#from(start);
      return { kind: text.kind, text, members: none, items: none };
    }
    const members: JsonTreeMember[] = [];
    const items: JsonNode[] = [];
    this.#step(1);
    while (this.#bytes[this.#at] !== 0x7d && this.#bytes[this.#at] !== 0x5d) {
      if (first === 0x7b) members.push({ key: this.#key(), value: this.node() });
      else items.push(this.node());
      this.#step(0);
      if (this.#bytes[this.#at] === 0x2c) this.#step(1);
    }
    this.#at++;
    return { kind: first === 0x7b ? 'object' : 'array', text: this.#from(start), members, items };
  }

  #key(): string {
    const start = this.#at;
    this.#at = scanString(this.#bytes, start);
    const key = this.#from(start).string();
    this.#step(0);
    this.#step(1); // the colon
    return key;
  }

  #step(width: number): void {
    this.#at = skipSpace(this.#bytes, this.#at + width);
  }

  #from(start: number): JsonText {
    return JsonText.trusted(this.#bytes.subarray(start, this.#at));
  }
}

/**
 * Whether two values are the same: members in the same order with duplicates, numbers as they are written (`1.0` is
 * not `1`), strings by what they stand for. White space and the spelling of escapes do not count.
 */
export function sameJson(left: JsonText, right: JsonText): boolean {
  if (left.equals(right)) return true;
  return sameNode(readTree(left), readTree(right));
}

function sameNode(left: JsonNode, right: JsonNode): boolean {
  if (left.kind !== right.kind) return false;
  switch (left.kind) {
    case 'object':
      return (
        left.members.length === right.members.length &&
        left.members.every((member, index) => {
          const other = right.members[index]!;
          return member.key === other.key && sameNode(member.value, other.value);
        })
      );
    case 'array':
      return (
        left.items.length === right.items.length &&
        left.items.every((item, index) => sameNode(item, right.items[index]!))
      );
    case 'string':
      return left.text.equals(right.text) || left.text.string() === right.text.string();
    default:
      return left.text.equals(right.text);
  }
}

/** Every string in the tree, decoded, in document order; keys too when `keys` is true. */
export function* stringsOf(node: JsonNode, { keys = false } = {}): Iterable<string> {
  if (node.kind === 'string') yield node.text.string();
  for (const { key, value } of node.members) {
    if (keys) yield key;
    yield* stringsOf(value, { keys });
  }
  for (const item of node.items) yield* stringsOf(item, { keys });
}
