import type { JsonText } from './json/json-text.ts';
import type { Random } from './random.ts';
import type { DecisionRecord, Option } from './record.ts';
import type { Writer } from './writer.ts';

/** What an operator changes of a record. What is absent stays as it is, byte for byte. */
export interface Version {
  readonly state?: JsonText;
  readonly instructions?: JsonText;
  readonly options?: readonly Option[];
  readonly gold?: string;
  readonly metadata?: JsonText;
  readonly context_provenance?: JsonText;
}

/** Records of other questions, for operators that borrow material. */
export interface Donors {
  /** Original records of other groups, nearest in hash order first. */
  of(record: DecisionRecord): AsyncIterable<DecisionRecord>;
}

/** Hashing as an argument, for provenance: operators import nothing that could touch the outside. */
export interface Hashing {
  /** SHA-256 in lower-case hexadecimal digits. */
  readonly sha256: (bytes: Uint8Array) => string;
}

/** What an operator is given beside the record. */
export interface Chances extends Hashing {
  readonly random: Random;
  readonly donors: Donors;
  readonly writer: Writer | null;
}

/** A promise of an operator that a version does not keep; a warning is counted but breaks nothing. */
export interface Violation {
  readonly rule: string;
  readonly message: string;
  readonly severity: 'violation' | 'warning';
}

/**
 * Applies one change of expression. Pure: takes chance only from `random`, changes nothing it was given, answers
 * null where it cannot be applied. `check` proves on any pair of records that the meaning was kept.
 */
export interface Perturbation {
  /** The version it makes, such as `v1_order`. */
  readonly version: string;
  /** The operation's name in the provenance, such as `reverse_options`. */
  readonly operation: string;
  /** What a sound model does with the version. */
  readonly expectation: 'same_decision' | 'flipped';
  apply(record: DecisionRecord, chances: Chances): Version | null | Promise<Version | null>;
  /** The engine always gives `hashing`; without it, hashes in the provenance are taken as they are. */
  check(original: DecisionRecord, version: DecisionRecord, hashing?: Hashing): readonly Violation[];
}
