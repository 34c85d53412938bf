// The reporting categories of the CITY-Jev card, in the order of its tables. Other labels are free text and sort after.

export const scenarios = [
  'Business Service Interactions',
  'Information Retrieval and Knowledge QA',
  'Tool and API Interactions',
  'Web and Browser Operations',
  'Software Development and Repair',
] as const;

export const decisionTasks = [
  'Safety Analysis',
  'Outcome Verification',
  'Action Selection',
  'Evidence Assessment',
  'Process Evaluation',
] as const;

export const answerFormats = [
  'Dynamic Candidate Selection',
  'Fixed-Category Classification',
  'Yes/No Judgment',
] as const;

export type Scenario = (typeof scenarios)[number];
export type DecisionTask = (typeof decisionTasks)[number];
export type AnswerFormat = (typeof answerFormats)[number];

/** Where a question is counted in breakdowns: the three dimensions of the card, and any slice of the user's own. */
export interface Labels {
  readonly scenario?: string;
  readonly decision_task?: string;
  readonly answer_format?: string;
  readonly [slice: string]: string | undefined;
}

const cardOrder = new Map<string, number>(
  [...scenarios, ...decisionTasks, ...answerFormats].map((name, at) => [name, at]),
);

/** Orders labels as the card's tables do: its own categories first, in its order, the rest by code point. */
export function compareLabels(left: string, right: string): number {
  const rank = (cardOrder.get(left) ?? cardOrder.size) - (cardOrder.get(right) ?? cardOrder.size);
  if (rank !== 0) return rank;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
