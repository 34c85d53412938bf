import { z } from 'zod';

const member = z.string().min(1);
/** YAML reads `true` and `1` as no strings; as ids they are the words they are written as. */
const id = z.union([z.string().min(1), z.boolean(), z.int()]).transform(String);
const option = z.union([
  id.transform(given => ({ id: given, description: null as string | null })),
  z.strictObject({
    id: id.describe('What a model answers with, and what gold names.'),
    description: z.string().nullable().default(null).describe('What a model is told about it.'),
  }),
]);

const columns = z.strictObject({
  state: z
    .union([member, z.array(member).min(1)])
    .default('state')
    .describe(
      'What the decision is about: a member of each row, or a list of them that becomes an object in that order.',
    ),
  instructions: member.optional().describe('The question. By default the member instructions, where a row has one.'),
  criteria: member
    .optional()
    .describe('The options: a list, or a map from id to description. By default the member criteria.'),
  gold: member.default('gold').describe('The id of the right option.'),
  id: member
    .nullable()
    .optional()
    .describe(
      'An id that no other row has. By default the member id, or else the place of the row; null for the place.',
    ),
  group_id: member
    .nullable()
    .optional()
    .describe('What rows that belong together share. By default the member group_id, or else the id; null for the id.'),
  questions: member
    .optional()
    .describe('Several questions about one state, by their ids. By default the member questions.'),
  labels: z
    .array(member.refine(name => name !== '__proto__', 'must be another name'))
    .default([])
    .describe('Members whose values become slices of the report.'),
});

const label = z.string().min(1).optional();

export const options = z
  .strictObject({
    file: z.string().min(1).describe('The file with the decisions, from the folder of the recipe; may be compressed.'),
    format: z
      .enum(['auto', 'jsonl', 'json', 'csv', 'parquet'])
      .default('auto')
      .describe('How the file is written: auto looks at its name and its first bytes.'),
    delimiter: z
      .enum(['auto', ',', ';', '\t', '|'])
      .default('auto')
      .describe('What stands between the cells of a CSV file: auto looks at its header.'),
    quotes: z
      .boolean()
      .default(true)
      .describe('Whether cells of a CSV file may be in quotes; false where a quote is a character like any other.'),
    columns: columns.prefault({}).describe('Which member or column is what.'),
    instructions_text: z.string().min(1).optional().describe('The question of all rows that do not bring their own.'),
    options: z
      .array(option)
      .min(2)
      .max(255)
      .optional()
      .describe('The options of all rows, in the order in which they are shown.'),
    criteria_separator: z
      .string()
      .min(1)
      .default('|')
      .describe('What stands between option ids in a text such as "a|b|c".'),
    primitive: z
      .enum(['choice', 'noul'])
      .default('choice')
      .describe('The kind of question: noul has the options true and false, and no others.'),
    state_json: z.boolean().default(false).describe('Whether the text of a state is JSON that is to be shown as such.'),
    on_bad_row: z
      .enum(['fail', 'skip'])
      .default('fail')
      .describe('What happens at a row that gives no question: it stops the build, or is skipped and counted.'),
    dataset: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_.-]*$/, 'must be lower-case letters, digits, dots, dashes, underscores')
      .default('labelled')
      .describe('What tables call it; give each its own where a recipe has several.'),
    title: z.string().min(1).default('Your own labelled decisions').describe('What reports call it.'),
    license: z.string().min(1).default('your own').describe('Licence of the rows.'),
    scenario: label.describe('Application scenario of all rows, in tables.'),
    decision_task: label.describe('Decision task of all rows, in tables.'),
    answer_format: label.describe('Answer format of all rows, in tables.'),
  })
  .refine(({ options, columns }) => options === undefined || columns.criteria === undefined, {
    error: 'name a column of criteria or fixed options, not both',
    path: ['options'],
  });

export type LabelledOptions = z.infer<typeof options>;
