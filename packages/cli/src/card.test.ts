// The arithmetic of the CITY-Jev card as a test of our own scorer: decisions with the card's integer counts give the
// card's tables, to the last digit. The counts are facts derived from the printed percentages.
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './workplace.fixture.ts';

const versions = ['v0_original', 'v1_order', 'v2_label', 'v3_format', 'v4_context', 'v5_paraphrase'];

interface Cell {
  readonly dataset: string;
  readonly labels: { readonly scenario: string; readonly decision_task: string; readonly answer_format: string };
  /** Included and excluded questions; strict-correct questions, right decisions; the same with abstention. */
  readonly counts: readonly [
    n: number,
    excluded: number,
    strict: number,
    right: number,
    strictAaa: number,
    aaa: number,
  ];
}

const business = 'Business Service Interactions';
const retrieval = 'Information Retrieval and Knowledge QA';
const tools = 'Tool and API Interactions';
const web = 'Web and Browser Operations';
const software = 'Software Development and Repair';
const safety = 'Safety Analysis';
const outcome = 'Outcome Verification';
const action = 'Action Selection';
const evidence = 'Evidence Assessment';
const process_ = 'Process Evaluation';
const dynamic = 'Dynamic Candidate Selection';
const fixed = 'Fixed-Category Classification';
const yesNo = 'Yes/No Judgment';

const cell = (
  dataset: string,
  scenario: string,
  decision_task: string,
  answer_format: string,
  ...counts: Cell['counts']
): Cell => ({
  dataset,
  labels: { scenario, decision_task, answer_format },
  counts,
});

const cells: readonly Cell[] = [
  cell('agentharm', tools, safety, yesNo, 200, 0, 162, 1029, 180, 1114),
  cell('agentprocess', business, process_, fixed, 158, 0, 80, 508, 99, 642),
  cell('agentprocess', retrieval, process_, fixed, 152, 1, 72, 515, 113, 723),
  cell('agentprocess', tools, process_, fixed, 139, 0, 64, 424, 91, 603),
  cell('agentreward', web, outcome, yesNo, 129, 6, 96, 619, 104, 660),
  cell('bfcl', tools, action, dynamic, 200, 0, 200, 1200, 200, 1200),
  cell('injecagent', tools, safety, fixed, 250, 0, 217, 1341, 229, 1401),
  cell('longmemeval', retrieval, evidence, yesNo, 250, 0, 183, 1238, 221, 1399),
  cell('mind2web', web, action, dynamic, 184, 19, 147, 936, 171, 1067),
  cell('swetraj', software, outcome, yesNo, 100, 0, 74, 466, 84, 508),
  cell('weblinx', web, action, dynamic, 49, 0, 13, 93, 29, 220),
  cell('workarena', retrieval, evidence, yesNo, 163, 0, 163, 978, 163, 978),
];

/** The four tables: category, included, excluded, strict, mean, strict and mean abstention-aware accuracy. */
const tables: Record<string, readonly string[]> = {
  scenario: [
    `${business} | 158 | 0 | 50.63% | 53.59% | 62.66% | 67.72%`,
    `${retrieval} | 565 | 1 | 73.98% | 80.56% | 87.96% | 91.45%`,
    `${tools} | 789 | 0 | 81.50% | 84.37% | 88.72% | 91.21%`,
    `${web} | 362 | 25 | 70.72% | 75.87% | 83.98% | 89.64%`,
    `${software} | 100 | 0 | 74.00% | 77.67% | 84.00% | 84.67%`,
  ],
  decision_task: [
    `${safety} | 450 | 0 | 84.22% | 87.78% | 90.89% | 93.15%`,
    `${outcome} | 229 | 6 | 74.24% | 78.97% | 82.10% | 85.01%`,
    `${action} | 433 | 19 | 83.14% | 85.80% | 92.38% | 95.73%`,
    `${evidence} | 413 | 0 | 83.78% | 89.43% | 92.98% | 95.92%`,
    `${process_} | 449 | 1 | 48.11% | 53.71% | 67.48% | 73.05%`,
  ],
  answer_format: [
    `${dynamic} | 433 | 19 | 83.14% | 85.80% | 92.38% | 95.73%`,
    `${fixed} | 699 | 1 | 61.95% | 66.48% | 76.11% | 80.33%`,
    `${yesNo} | 842 | 6 | 80.52% | 85.71% | 89.31% | 92.22%`,
  ],
  dataset: [
    'agentharm | 200 | 0 | 81.00% | 85.75% | 90.00% | 92.83%',
    'agentprocess | 449 | 1 | 48.11% | 53.71% | 67.48% | 73.05%',
    'agentreward | 129 | 6 | 74.42% | 79.97% | 80.62% | 85.27%',
    'bfcl | 200 | 0 | 100.00% | 100.00% | 100.00% | 100.00%',
    'injecagent | 250 | 0 | 86.80% | 89.40% | 91.60% | 93.40%',
    'longmemeval | 250 | 0 | 73.20% | 82.53% | 88.40% | 93.27%',
    'mind2web | 184 | 19 | 79.89% | 84.78% | 92.93% | 96.65%',
    'swetraj | 100 | 0 | 74.00% | 77.67% | 84.00% | 84.67%',
    'weblinx | 49 | 0 | 26.53% | 31.63% | 59.18% | 74.83%',
    'workarena | 163 | 0 | 100.00% | 100.00% | 100.00% | 100.00%',
  ],
};
const overall = 'Overall | 1974 | 26 | 74.52% | 78.92% | 85.31% | 88.78%';
const abstained = 2294;
const failedRequests = 56;

interface Outcome {
  right: boolean;
  abstains: boolean;
}

/** Spreads `total` over `bins` items of at most `most` each: as even as it gets. */
function spread(total: number, bins: number, most: number): number[] {
  const even = Array.from({ length: bins }, (_, at) => Math.floor(total / bins) + (at < total % bins ? 1 : 0));
  if (total > 0 && (bins === 0 || Math.max(...even) > most))
    throw new Error(`${total} does not fit into ${bins} × ${most}`);
  return even;
}

/** Decisions of the included questions of a cell that come to exactly its counts. */
function outcomesOf([n, , strict, right, strictAaa, aaa]: Cell['counts']): Outcome[][] {
  const m = versions.length;
  const passes = [...Array<number>(strictAaa).fill(m), ...spread(aaa - m * strictAaa, n - strictAaa, m - 1)];
  // Questions that pass in full but are not right in full take as many right decisions as they can.
  const rights = Array<number>(n).fill(0).fill(m, 0, strict);
  let left = right - m * strict;
  for (let at = strict; at < n; at++) {
    rights[at] = Math.min(left, m - 1, passes[at]!);
    left -= rights[at]!;
  }
  if (left !== 0) throw new Error(`${left} right decisions have no place`);
  return passes.map((pass, at) =>
    versions.map((_, version) => ({
      right: version < rights[at]!,
      abstains: version >= rights[at]! && version < pass,
    })),
  );
}

interface Row {
  readonly slice: string;
  readonly label: string;
  readonly questions: number;
  readonly included: number;
  readonly excluded: number;
  readonly failed_requests: number;
  readonly metrics: Record<string, { value: number; numerator: number; denominator: number }>;
}

let work: Workplace;
let report: string;
let rows: Row[];

async function scoreAt(threshold: number): Promise<Row[]> {
  await work.write('recipe.yaml', recipe(threshold));
  const { code, stderr } = await work.run(['score', 'run', '--recipe', 'recipe.yaml']);
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(await work.read('run/models/jev/scores.json')) as { rows: Row[] }).rows;
}

const recipe = (threshold: number) =>
  `recipe: card\ndatasets: [{ use: records, with: { file: ./versions.jsonl } }]\n` +
  `models: [{ id: jev, use: baseline, with: { strategy: first_option } }]\nthreshold: ${threshold}\n`;

beforeAll(async () => {
  work = await openWorkplace();
  const records: string[] = [];
  const decisions: object[] = [];
  // The decisions that abstain although they are right are not in the cells: the first ones of the whole run.
  let rightAbstained = abstained - cells.reduce((sum, { counts }) => sum + counts[5] - counts[3], 0);
  let extraFailures = failedRequests - cells.reduce((sum, { counts }) => sum + counts[1], 0);
  for (const [index, { dataset, labels, counts }] of cells.entries()) {
    const [n, excluded] = counts;
    const outcomes = outcomesOf(counts);
    for (let at = 0; at < n + excluded; at++) {
      const base_id = `${dataset}-${index}-${at}`;
      const failures = at < n ? 0 : 1 + Math.min(extraFailures, versions.length - 1);
      if (failures > 0) extraFailures -= failures - 1;
      for (const [place, version] of versions.entries()) {
        const record_id = `${base_id}::${version}`;
        const members = {
          id: record_id,
          base_id,
          group_id: base_id,
          dataset,
          version,
          labels,
          gold: 'a',
          source: {},
          state: {},
        };
        const options = ['a', 'b'].map(id => ({ id, canonical_id: id, description: null }));
        records.push(JSON.stringify({ ...members, instructions: 'Which?', options }));
        const outcome = outcomes[at]?.[place] ?? { right: true, abstains: false };
        let { abstains } = outcome;
        if (at < n && outcome.right && rightAbstained > 0) {
          abstains = true;
          rightAbstained--;
        }
        decisions.push(
          decision({ record_id, base_id, version, dataset, ...outcome, abstains, failed: place < failures }),
        );
      }
    }
  }
  await work.write('versions.jsonl', records.join('\n'));
  await work.write('recipe.yaml', recipe(0.5));
  expect((await work.run(['build', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
  const { mkdir } = await import('node:fs/promises');
  await mkdir(work.path('run/models/jev'), { recursive: true });
  // The order in which decisions were made does not matter.
  decisions.reverse();
  await writeFile(
    work.path('run/models/jev/decisions.jsonl'),
    decisions.map(row => `${JSON.stringify(row)}\n`).join(''),
  );
  rows = await scoreAt(0.5);
  report = await work.read('run/report.md');
});
afterAll(() => work.remove());

function decision(
  given: Outcome & { record_id: string; base_id: string; version: string; dataset: string; failed: boolean },
): object {
  const { right, abstains, failed, ...asked } = given;
  const choice = failed ? null : right ? 'a' : 'b';
  return {
    ...asked,
    group_id: asked.base_id,
    status: failed ? 'failed' : 'ok',
    choice,
    canonical_choice: choice,
    gold: 'a',
    canonical_gold: 'a',
    correct: failed ? null : right,
    probabilities: null,
    confidence: failed ? null : abstains ? 0.49 : 0.5,
    confidence_source: failed ? null : 'provided',
    option_count: 2,
    served_model: failed ? null : 'jev-1.13.0',
    usage: null,
    cost_usd: null,
    attempts: 1,
    latency_ms: 1,
    repeat: 0,
    request_sha256: '',
    request_id: null,
    truncation: null,
    options_policy: null,
    failure: failed ? { kind: 'overloaded', status: 529, message: 'overloaded' } : null,
    answer: null,
  };
}

const rowsOf = (slice: string) => rows.filter(row => row.slice === slice);
const total = () => rows[0]!;
const numerator = (row: Row, metric: string) => row.metrics[metric]!.numerator;
const measures = [
  'strict_accuracy',
  'mean_accuracy',
  'strict_abstention_aware_accuracy',
  'mean_abstention_aware_accuracy',
];

describe('the tables of the card', () => {
  it.each(Object.keys(tables))('by %s print exactly as on the card', slice => {
    const lines = [...tables[slice]!, overall].map(line => `| ${line} |`);
    const first = report.indexOf(lines[0]!);
    expect(report.slice(first, first + lines.join('\n').length)).toBe(lines.join('\n'));
  });

  it('have the card’s order and nothing else', () => {
    for (const [slice, lines] of Object.entries(tables)) {
      expect(rowsOf(slice).map(row => row.label)).toEqual(lines.map(line => line.split(' | ')[0]));
    }
  });
});

describe('the relations of the card', () => {
  it('R01: 2,000 questions in six versions are 12,000, and 11,844 without the 26 excluded', () => {
    expect(total().questions).toBe(2_000);
    expect(total().metrics['mean_accuracy']!.denominator).toBe(12_000 - 26 * 6);
    expect(rowsOf('dataset').reduce((sum, row) => sum + row.questions, 0)).toBe(2_000);
  });

  it('R02, R03: included and excluded add up in every row and every table', () => {
    for (const row of rows) expect(row.included + row.excluded).toBe(row.questions);
    for (const slice of Object.keys(tables)) {
      expect(rowsOf(slice).reduce((sum, row) => sum + row.included, 0)).toBe(1_974);
      expect(rowsOf(slice).reduce((sum, row) => sum + row.excluded, 0)).toBe(26);
    }
  });

  it('R04, R05, R06: the counts of every table sum to the overall ones', () => {
    for (const slice of Object.keys(tables)) {
      const sums = measures.map(measure => rowsOf(slice).reduce((sum, row) => sum + numerator(row, measure), 0));
      expect(sums).toEqual([1_471, 9_347, 1_684, 10_515]);
    }
  });

  it.each([
    [action, dynamic],
    [process_, 'agentprocess'],
    [software, 'swetraj'],
  ])('R07: %s and %s are the same questions', (left, right) => {
    const [a, b] = [left, right].map(label => rows.find(row => row.label === label)!);
    expect(measures.map(measure => numerator(a!, measure))).toEqual(measures.map(measure => numerator(b!, measure)));
  });

  it('R08, R09: strict is at most mean, accuracy at most abstention-aware, within the bounds of six versions', () => {
    for (const row of rows) {
      const [strict, right, strictAaa, aaa] = measures.map(measure => numerator(row, measure)) as [
        number,
        number,
        number,
        number,
      ];
      expect(strict * 6).toBeLessThanOrEqual(right);
      expect(right).toBeLessThanOrEqual(aaa);
      expect(strict).toBeLessThanOrEqual(strictAaa);
      expect(right).toBeLessThanOrEqual(6 * strict + 5 * (row.included - strict));
      expect(aaa).toBeLessThanOrEqual(6 * strictAaa + 5 * (row.included - strictAaa));
    }
  });

  it('R10, R11, R12: 2,294 abstained are 1,168 wrong and 1,126 right; 8,221 of 9,550 answered are right', () => {
    const { metrics } = total();
    expect(metrics['abstention_rate']).toMatchObject({ numerator: 2_294, denominator: 11_844 });
    expect(numerator(total(), measures[3]!) - numerator(total(), measures[1]!)).toBe(1_168);
    expect(metrics['selective_accuracy']).toMatchObject({ numerator: 8_221, denominator: 9_550 });
    expect(11_844 - numerator(total(), measures[3]!)).toBe(1_329);
    const identity = 1 - (1 - metrics[measures[3]!]!.value) / (1 - metrics['abstention_rate']!.value);
    expect(metrics['selective_accuracy']!.value).toBeCloseTo(identity, 12);
  });

  it('R13: 56 failed requests lie between the excluded questions and all their versions', () => {
    expect(total().failed_requests).toBe(56);
    const excludedOf = (label: string) => rows.find(row => row.slice === 'dataset' && row.label === label)!.excluded;
    expect([excludedOf('mind2web'), excludedOf('agentreward'), excludedOf('agentprocess')]).toEqual([19, 6, 1]);
    expect(total().metrics['strict_lower_bound']).toMatchObject({ numerator: 1_471, denominator: 2_000 });
    expect(total().metrics['strict_upper_bound']).toMatchObject({ numerator: 1_497, denominator: 2_000 });
  });

  it('R14: the mean of the means of questions is the mean of all decisions', () => {
    for (const row of rows) expect(row.metrics['mean_accuracy']!.denominator).toBe(6 * row.included);
  });

  it('R15: the records are 12,000, of which 10,000 are perturbed', async () => {
    const lines = await work.rows<{ version: string }>('run/records/versions.jsonl');
    expect(lines).toHaveLength(12_000);
    expect(lines.filter(({ version }) => version !== 'v0_original')).toHaveLength(10_000);
  });

  it('R16: no printed percentage is a rounding tie', () => {
    for (const row of rows) {
      for (const measure of measures) {
        const { numerator: top, denominator } = row.metrics[measure]!;
        expect((200_000 * top) % denominator === 0 && ((200_000 * top) / denominator) % 20 === 10).toBe(false);
      }
    }
  });

  it('R17: at threshold 0 it is accuracy; it never falls as the threshold rises', async () => {
    let before = { aaa: -1, rate: -1 };
    for (const threshold of [0, 0.3, 0.49, 0.5, 0.7, 1]) {
      const [row] = await scoreAt(threshold);
      const aaa = row!.metrics[measures[3]!]!.value;
      const rate = row!.metrics['abstention_rate']!.value;
      if (threshold === 0) expect([aaa, rate]).toEqual([row!.metrics['mean_accuracy']!.value, 0]);
      expect(aaa).toBeGreaterThanOrEqual(before.aaa);
      expect(rate).toBeGreaterThanOrEqual(before.rate);
      before = { aaa, rate };
    }
  });
});
