import type { Guess, Mapping } from './guess-mapping.ts';
import type { InspectedFile } from './inspect-file.ts';

/** An operator of a new recipe. */
export interface PlannedOperator {
  readonly name: string;
  /** Why it is left out; null where it is not. */
  readonly leftOut: string | null;
}

/** A decision server to ask beside the models that run offline. */
export interface PlannedServer {
  readonly model: string;
  readonly baseUrl: string | null;
  readonly apiKeyEnv: string | null;
}

export interface RecipePlan {
  /** The path of the data as the recipe is to write it. */
  readonly data: string;
  readonly name: string;
  readonly file: InspectedFile;
  readonly mapping: Mapping;
  readonly guess: Guess;
  readonly operators: readonly PlannedOperator[];
  readonly server: PlannedServer | null;
  readonly skipBadRows: boolean;
}

const operatorNotes: Readonly<Record<string, string>> = {
  order: 'the options in reverse order',
  label: 'opaque ids for the options, their names inside the descriptions',
  format: 'the state as a string of JSON',
  context: 'an excerpt of another case before the state, with a note to ignore it',
  paraphrase: 'the instructions in other words',
};

/** A recipe for labelled decisions, every line explained. */
export function recipeText(plan: RecipePlan): string {
  return [...head(plan), ...dataset(plan), ...operators(plan), ...models(plan), ...rest(plan), ''].join('\n');
}

function head({ file, name, guess }: RecipePlan): string[] {
  const cells = file.csv === null ? '' : `, cells between ${JSON.stringify(file.csv.delimiter)}`;
  const rows = `${file.rows.length} rows looked at${file.whole ? ', which are all' : ''}`;
  return [
    comment('Made by holdfast init; run it with holdfast run and the name of this file.'),
    comment(`What was understood of ${file.path}: ${file.format}${cells}, ${rows}.`),
    ...guess.assumptions.map(each => comment(`Assumed: ${each}.`)),
    ...(guess.unused.length > 0 ? [comment(`Not used: ${guess.unused.slice(0, 20).join(', ')}.`)] : []),
    line(`recipe: ${scalar(name)}`, 'its name in reports and below runs/'),
    line('seed: 7', 'decides samples and whatever operators leave to chance: same seed, same bytes'),
  ];
}

function dataset({ data, name, file, mapping, guess, skipBadRows }: RecipePlan): string[] {
  const why = (column: string) => guess.reasons.get(column) ?? '';
  const column = (member: string, from: string | null) =>
    from === null ? [] : [line(`        ${member}: ${scalar(from)}`, why(from))];
  // Without this line the dataset would take the column by its name.
  const none = (member: string) =>
    file.columns.some(({ name }) => name === member) && !mapping.state.includes(member)
      ? [line(`        ${member}: null`, why(member))]
      : [];
  const state =
    mapping.state.length === 1
      ? column('state', mapping.state[0]!)
      : [
          line(
            `        state: [${mapping.state.map(scalar).join(', ')}]`,
            'together they are the state, an object in this order',
          ),
        ];
  return [
    'datasets:',
    line('  - use: labelled', 'your own labelled decisions'),
    '    with:',
    line(`      file: ${scalar(data)}`, 'from the folder of this recipe'),
    line(`      format: ${file.format}`, file.why),
    ...(file.csv === null ? [] : [line(`      delimiter: ${scalar(file.csv.delimiter)}`, 'what stands between cells')]),
    ...(file.csv?.quotes === false ? [line('      quotes: false', 'a quote is a character like any other')] : []),
    line('      columns:', 'which column is what'),
    ...state,
    ...column('instructions', mapping.instructions),
    ...column('criteria', mapping.criteria),
    ...column('questions', mapping.questions),
    ...column('gold', mapping.gold),
    ...(mapping.id === null ? none('id') : column('id', mapping.id)),
    ...(mapping.group === null ? none('group_id') : column('group_id', mapping.group)),
    ...(mapping.labels.length === 0
      ? []
      : [line(`        labels: [${mapping.labels.map(scalar).join(', ')}]`, 'slices of the report')]),
    ...(mapping.stateJson ? [line('      state_json: true', 'the text of the state is JSON in every row')] : []),
    ...(mapping.instructionsText === null
      ? []
      : [
          line(
            `      instructions_text: ${quoted(mapping.instructionsText)}`,
            mapping.instructions === null
              ? 'what models are asked'
              : 'what models are asked where a row does not say it',
          ),
        ]),
    ...(mapping.separator === null || mapping.separator === '|'
      ? []
      : [line(`      criteria_separator: ${quoted(mapping.separator)}`, 'what stands between the options of a row')]),
    ...(mapping.options === null
      ? []
      : [
          line(
            '      options:',
            'the same for every row, shown in this order; give one a description by { id: …, description: … }',
          ),
          ...mapping.options.map(option => `        - ${quoted(option)}`),
        ]),
    line(
      `      on_bad_row: ${skipBadRows ? 'skip' : 'fail'}`,
      skipBadRows
        ? 'rows that give no question are left out and counted'
        : 'or skip: rows that give no question are left out and counted',
    ),
    line(`      dataset: ${scalar(name)}`, 'what tables call it'),
    comment('scenario, decision_task and answer_format name the rows in the tables of the report:', 6),
    comment('scenario: Business Service Interactions', 6),
  ];
}

function operators({ operators: planned }: RecipePlan): string[] {
  const taken = planned.filter(({ leftOut }) => leftOut === null);
  const left = planned.filter(({ leftOut }) => leftOut !== null);
  return [
    line(
      taken.length === 0 ? 'perturbations: []' : 'perturbations:',
      'each question is asked once as it is and once in each of these ways',
    ),
    ...taken.map(({ name }) => line(`  - ${name}`, operatorNotes[name] ?? '')),
    ...left.map(({ name, leftOut }) => comment(`- ${name}: left out, ${leftOut}`, 2)),
  ];
}

/** A model's name as an id of the recipe: a letter or digit first, then what a folder may be called. */
function modelName(model: string): string {
  const name = model.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '');
  return name === '' ? 'server' : name;
}

function models({ server }: RecipePlan): string[] {
  const { model, baseUrl, apiKeyEnv } = server ?? { model: 'jev-1.13.0', baseUrl: null, apiKeyEnv: null };
  const asked = [
    `  - id: ${modelName(model)}`,
    '    use: systemone',
    '    with:',
    `      model: ${scalar(model)}`,
    ...(baseUrl === null ? [] : [`      base_url: ${quoted(baseUrl)}`]),
    ...(apiKeyEnv === null ? [] : [`      api_key_env: ${scalar(apiKeyEnv)}`]),
    '    limits: { concurrency: 16 }',
  ];
  return [
    'models:',
    line('  - id: lexical', 'counts the words that state and options share: runs offline, a model should beat it'),
    '    use: lexical',
    line('  - id: first-option', 'always takes the first option, for comparison'),
    '    use: baseline',
    '    with: { strategy: first_option }',
    comment(
      server === null
        ? 'A decision server that speaks POST /v1/systemone; its key comes from the variable TYPESAFE_API_KEY:'
        : 'A decision server that speaks POST /v1/systemone:',
      2,
    ),
    ...(server === null ? asked.map(each => `  # ${each.slice(2)}`) : asked),
  ];
}

function rest({ mapping }: RecipePlan): string[] {
  const slices = ['scenario', 'decision_task', 'answer_format', 'dataset'];
  for (const label of mapping.labels) if (!slices.includes(label)) slices.push(label);
  const inapplicable =
    mapping.noul === 'some'
      ? 'order and label make no version of yes/no (noul) questions: those are left out of scores and counted'
      : 'a question that an operator can make no version of is left out of scores and counted';
  return [
    line('threshold: 0.5', 'a model abstains when its confidence is below'),
    line(
      'missing: exclude_question',
      'a question without a valid answer in every version leaves the scores and is counted',
    ),
    line('inapplicable: exclude_question', inapplicable),
    'metrics: [accuracy]',
    line(`slices: [${slices.map(scalar).join(', ')}]`, 'a table of the report for each'),
    'reports: [markdown, json]',
  ];
}

/** A line with its explanation behind it. */
function line(yaml: string, note: string): string {
  return note === '' ? yaml : `${yaml.padEnd(38)} ${comment(note)}`;
}

/** A comment of one line, whatever is in it. */
function comment(text: string, indent = 0): string {
  return `${' '.repeat(indent)}# ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]+/gu, ' ').toWellFormed()}`;
}

/** A string of YAML, bare where that cannot be read as anything else. */
function scalar(text: string): string {
  const bare = /^[A-Za-z][A-Za-z0-9_./-]*$/.test(text) || /^\.\/[A-Za-z0-9_./-]+$/.test(text);
  return bare && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : quoted(text);
}

/** A string of YAML in double quotes: JSON's, with what YAML does not print escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
