/** A question's gold option id and its option ids, by version or the same for all. */
export interface CardQuestionKey {
  readonly gold: string | Readonly<Record<string, string>>;
  readonly options: readonly string[] | Readonly<Record<string, readonly string[]>>;
}

/** One recorded answer: question, version, status, choice, confidence. Nothing in it is trusted. */
export type CardRow = readonly [
  question: string,
  version: string,
  status: string,
  choice: string | null,
  confidence?: number | null,
];

/** A data set with recorded answers to it. */
export interface CardInput {
  /** @default 0.5 */
  readonly threshold?: number;
  readonly planned_versions: readonly string[];
  /** @default the planned versions */
  readonly known_versions?: readonly string[];
  readonly questions: Readonly<Record<string, CardQuestionKey>>;
  readonly rows: readonly CardRow[];
}

export type CardErrorCode = 'unknown_version' | 'orphan_prediction' | 'duplicate_prediction';

/** Rows that contradict the data set or each other. The whole report is refused: any score of them would be a guess. */
export class CardInputError extends Error {
  readonly code: CardErrorCode;

  constructor(code: CardErrorCode, message: string) {
    super(message);
    this.name = 'CardInputError';
    this.code = code;
  }
}

/** The rows of each question by version. */
export type CardRowIndex = ReadonlyMap<string, ReadonlyMap<string, CardRow>>;

/**
 * The rows by question and version, unplanned versions included. Throws a CardInputError at the first row of a version
 * or question that does not exist, or of a question and version seen before, even if identical.
 */
export function indexRows({
  rows,
  questions,
  planned_versions,
  known_versions = planned_versions,
}: CardInput): CardRowIndex {
  const known = new Set(known_versions);
  const index = new Map<string, Map<string, CardRow>>();
  for (const id of Object.keys(questions)) index.set(id, new Map());
  for (const row of rows) {
    const [question, version] = row;
    if (!known.has(version)) throw new CardInputError('unknown_version', `No version is called "${version}".`);
    const versions = index.get(question);
    if (!versions) throw new CardInputError('orphan_prediction', `No question is called "${question}".`);
    if (versions.has(version)) {
      throw new CardInputError('duplicate_prediction', `Question "${question}" has two rows of version "${version}".`);
    }
    versions.set(version, row);
  }
  return index;
}
