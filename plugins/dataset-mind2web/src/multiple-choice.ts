import { json, readItems, type JsonText, type Option } from '@holdfast/core';
import { inChanceOrder, recordInvalid } from '@holdfast/kit';
import type { Asked, Presentation } from './ask-action.ts';
import { Members } from './members.ts';

/** An action that was turned into a multiple-choice question before, as the tests of inspect_evals have it. */
export interface MultipleChoice {
  readonly annotation: string;
  readonly uid: string;
  readonly task: JsonText;
  readonly previous: readonly string[];
  readonly html: JsonText;
  readonly choices: readonly Option[];
  /** The letter of the right choice; A is "None of the above". */
  readonly gold: string;
  readonly operation: string | null;
}

export function readMultipleChoice(members: ReadonlyMap<string, JsonText>): MultipleChoice {
  const row = new Members(members);
  const metadata = Members.of(row.get('metadata', 'object'), 'metadata');
  const target = row.get('target', 'string').string();
  const gold = /^([A-Z])\./.exec(target)?.[1];
  if (gold === undefined) throw recordInvalid('target', 'must start with the letter of a choice');
  const answer = Members.of(metadata.get('answer', 'object'), 'metadata.answer');
  const letter = answer.find('letter', 'string')?.string();
  if (letter !== undefined && letter !== gold) throw recordInvalid('metadata.answer.letter', `is not ${gold}`);
  const previous = metadata.get('previous_actions', 'string').string();
  return {
    annotation: metadata.get('annotation_id', 'string').string(),
    uid: metadata.get('action_uid', 'string').string(),
    task: metadata.get('confirmed_task', 'string'),
    previous: previous === 'None' || previous === '' ? [] : previous.split('\n'),
    html: metadata.get('final_html', 'string'),
    choices: readItems(row.get('choices', 'array').bytes).map((choice, index) => {
      const text = choice.kind === 'string' ? choice.string() : '';
      const parts = /^([A-Z])\. ([^]*)$/.exec(text);
      if (parts === null) throw recordInvalid(`choices.${index}`, 'must be a letter, a period and an element');
      const [, id, element] = parts as unknown as [string, string, string];
      return { id, canonical_id: id, description: json.string(element) };
    }),
    gold,
    operation: answer.find('action', 'string')?.string() ?? null,
  };
}

/**
 * The question without "None of the above" and with at most so many wrong choices, in the converter's order; or why it
 * asks nothing.
 */
export function askChoice(
  { task, previous, html, choices, gold, operation }: MultipleChoice,
  id: string,
  { seed, negatives }: Pick<Presentation, 'seed' | 'negatives'>,
): Asked | string {
  // Either upstream has no target, or the target was lost when the page was pruned.
  if (gold === 'A') return operation === null ? 'no positive candidate' : 'the target is not in the page';
  const elements = choices.filter(option => option.id !== 'A');
  const others = elements.filter(option => option.id !== gold);
  if (others.length === elements.length) throw recordInvalid('target', `is ${gold}, which is no choice`);
  if (others.length === 0) return 'no negative candidate';
  const order = inChanceOrder(others, option => option.id, { seed, id, purpose: 'choose' });
  const chosen = new Set(order.slice(0, negatives));
  const options = elements.filter(option => option.id === gold || chosen.has(option));
  return {
    state: json.object([
      ['confirmed_task', task],
      ['previous_actions', previous],
      ['html', html],
    ]),
    options,
    gold,
    metadata: json.value({
      label_source: 'the letter of the converted question',
      operation,
      candidates: options.length,
      candidate_order: 'of the converter',
      negatives: 'of the converter',
      negatives_available: others.length,
      none_of_the_above: 'left out',
      html: { shown: 'pruned by the converter' },
      seed,
    }),
  };
}
