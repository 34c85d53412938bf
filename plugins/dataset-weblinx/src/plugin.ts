/**
 * Reads WebLINX: which element of a web page a navigator acts on next, in conversation with an instructor.
 * https://mcgill-nlp.github.io/weblinx/
 */
import {
  HoldfastError,
  defineDataset,
  json,
  readMap,
  type BaseRecord,
  type Dataset,
  type DatasetInfo,
  type FoundFile,
  type Skipped,
  type UpstreamFile,
} from '@holdfast/core';
import { inChanceOrder } from '@holdfast/kit';
import { z } from 'zod';
import { readChat } from './chat.ts';
import { readRanked, turnOf, type RankedLine } from './ranked.ts';
import { readRows, type Row } from './rows.ts';
import { readSplits } from './splits.ts';
import type { Candidate, NoTurn, Turn } from './turn.ts';

const info: DatasetInfo = {
  id: 'weblinx',
  title: 'WebLINX',
  homepage: 'https://mcgill-nlp.github.io/weblinx/',
  license: 'CC-BY-NC-SA-4.0',
  labels: {
    scenario: 'Web and Browser Operations',
    decision_task: 'Action Selection',
    answer_format: 'Dynamic Candidate Selection',
  },
};

const instructions = json.string(
  'Choose the element of the web page that the navigator should act on next, given the conversation and the actions so far.',
);

const options = z.strictObject({
  files: z
    .array(z.string().min(1))
    .min(1)
    .default(['data/chat/test_iid.json.gz'])
    .describe(
      'Files below the folder of the data set, or globs: chat files (data/chat/*.json.gz, or the older *.csv) or candidates files (candidates/*.jsonl of WebLINX-full). Each is told by what is in it.',
    ),
  splits: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Upstream's splits.json, for files whose names do not tell the split; only noted, never used to choose."),
  negatives: z
    .int()
    .min(1)
    .max(254)
    .default(9)
    .describe(
      "Most wrong elements to offer beside the right one: the best by upstream's ranking, of chat files the first listed.",
    ),
  nested: z
    .enum(['keep', 'leave_out'])
    .default('keep')
    .describe('Whether wrong elements may lie in the right one or around it, as upstream counts them.'),
  html: z
    .enum(['clean', 'none'])
    .default('clean')
    .describe('Whether the clean_html of chat files is shown, whole; candidates files have none.'),
  seed: z.int().min(0).default(0).describe('Where chance starts from: it gives the order of the candidates.'),
});

type Options = z.infer<typeof options>;

export default defineDataset({
  name: 'weblinx',
  summary: 'WebLINX: which element of the page the navigator of a conversation acts on next.',
  options,
  create: (given): Dataset => ({
    info,
    upstream: [...given.files, ...(given.splits === null ? [] : [given.splits])].map(pinOf),
    units(files) {
      const splits = files.filter(file => file.name === given.splits);
      return files
        .filter(file => file.name !== given.splits)
        .map(file => ({ id: file.name, files: [file, ...splits] }));
    },
    read: ({ files }, signal) => read(files as [FoundFile, FoundFile?], given, signal),
  }),
});

/** The two data sets of the Hub that the files come from. Sizes and hashes are not known here. */
const hub = [
  [/^data\/chat\/(train|valid|test_\w+)\.json\.gz$/, 'WebLINX', '65c6bd2519681547b9bc492b17195276a254cfe1'],
  [/^(candidates\/\w+\.jsonl|chat\/\w+\.csv)$/, 'WebLINX-full', '65e0af7d297bae848d262f9861dc79989a950043'],
] as const;

function pinOf(name: string): UpstreamFile {
  if (name === 'splits.json') {
    const revision = '6943bf1d99f0abcfb2fd797b40a66f687f189d13';
    const url = `https://raw.githubusercontent.com/McGill-NLP/weblinx/${revision}/weblinx/_data/splits.json`;
    const sha256 = '97bdea7b5b77ade23fb8c5670a5b1e26d693ad90e34e4b777e29eeb725b5dfd0';
    return { name, url, revision, bytes: 38_206, sha256 };
  }
  const known = hub.find(([pattern]) => pattern.test(name));
  if (known === undefined) return { name };
  const [, repository, revision] = known;
  const url = `https://huggingface.co/datasets/McGill-NLP/${repository}/resolve/${revision}/${name}`;
  return { name, url, revision };
}

async function* read(
  [file, splitsFile]: readonly [FoundFile, FoundFile?],
  given: Options,
  signal: AbortSignal,
): AsyncGenerator<BaseRecord | Skipped> {
  const splits = splitsFile === undefined ? null : await readSplits(splitsFile, signal);
  const seen = new Map<string, string>();
  for await (const { turn, row } of readTurns(file, given, signal)) {
    signal.throwIfAborted();
    const id = `weblinx:${turn.demo}:${turn.turn}`;
    const earlier = seen.get(id);
    if (earlier !== undefined) {
      // Of candidates files all lines of a turn stand together: otherwise its candidates would not be complete.
      const problem = `${row.place}: the turn ${turn.turn} of ${turn.demo} stands at ${earlier} already; remove one of the two`;
      throw new HoldfastError('UPSTREAM_INVALID', problem, { facts: { file: file.name, id } });
    }
    seen.set(id, row.place);
    const made = 'skipped' in turn ? turn.skipped : ask(turn, id, given);
    yield typeof made === 'string'
      ? { skipped: made, place: `${row.place} (turn ${turn.turn} of ${turn.demo})` }
      : {
          base_id: id,
          group_id: `weblinx:${turn.demo}`,
          scenario: 'conversational_web_navigation',
          decision_type: 'element_selection',
          instructions,
          source: json.value({
            ...row.source,
            demo: turn.demo,
            turn: turn.turn,
            upstream_split: splitOf(file.name) ?? splits?.of(turn.demo) ?? null,
          }),
          ...made,
        };
  }
}

/** The turns of a file, and the row that each starts at. */
async function* readTurns(
  file: FoundFile,
  { html }: Pick<Options, 'html'>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly turn: Turn | NoTurn; readonly row: Row }> {
  let open: { readonly lines: RankedLine[]; readonly row: Row } | null = null;
  for await (const row of readRows(file, signal)) {
    const found = row.read(bytes => {
      const members = readMap(bytes);
      return members.has('elem_dict') ? readRanked(members) : readChat(members, { html });
    });
    if (!('candidate' in found)) {
      yield { turn: found, row };
      continue;
    }
    const first = open?.lines[0];
    if (first?.demo === found.demo && first.turn === found.turn) {
      open!.lines.push(found);
      continue;
    }
    if (open !== null) yield { turn: turnOf(open.lines), row: open.row };
    open = { lines: [found], row };
  }
  if (open !== null) yield { turn: turnOf(open.lines), row: open.row };
}

function ask(
  { state, candidates, target, notes }: Turn,
  id: string,
  { seed, negatives, nested }: Options,
): Pick<BaseRecord, 'state' | 'options' | 'gold' | 'metadata'> | string {
  const right = candidates.find(({ uid }) => uid === target)!;
  const pool = candidates.filter(one => one !== right && (nested === 'keep' || !isNested(one, right)));
  if (pool.length === 0) return 'no negative candidate';
  const rank = (candidate: Candidate) => candidate.rank ?? Infinity;
  // Array.sort keeps upstream's order where there are no ranks.
  const chosen = [...pool]
    .sort((left, right) => (rank(left) === rank(right) ? 0 : rank(left) - rank(right)))
    .slice(0, negatives);
  // Upstream lists by rank, and the right one is often the first.
  const offered = inChanceOrder([right, ...chosen], ({ uid }) => uid, { seed, id, purpose: 'order' });
  return {
    state: json.object(state),
    options: offered.map(({ uid, description }) => ({ id: uid, canonical_id: uid, description })),
    gold: target,
    metadata: json.value({
      ...notes,
      candidates: offered.length,
      candidate_order: 'by chance',
      negatives: pool.some(one => one.rank !== null) ? 'the best ranked' : 'the first listed',
      negatives_available: pool.length,
      negatives_nested: chosen.filter(one => isNested(one, right)).length,
      seed,
    }),
  };
}

function isNested({ xpath: one }: Candidate, { xpath: other }: Candidate): boolean {
  if (one === null || other === null) return false;
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Upstream's split as its files are named. */
function splitOf(name: string): string | null {
  return /(?:^|\/)(train|valid|test_(?:iid|vis|geo|cat|web))\.(?:json\.gz|jsonl|csv)$/.exec(name)?.[1] ?? null;
}
