import { readItems, type JsonText } from '@holdfast/core';
import { memberOf, recordInvalid } from '@holdfast/kit';
import type { Fact } from './wrong-answers.ts';

/** What the model is shown of the knowledge: the bare fact, or the article that holds it. */
export const knowledgeForms = ['fact', 'article'] as const;
export type KnowledgeForm = (typeof knowledgeForms)[number];

/** One element of either file: everything but `fact` is a view of its bytes. */
export interface Entry {
  readonly fact: Fact;
  readonly item: JsonText;
  readonly value: JsonText;
  readonly alternatives: readonly JsonText[];
  /** One in the file of configurations, all phrasings in the knowledge base. */
  readonly questions: readonly JsonText[];
  /** Null in the file of configurations. */
  readonly article: JsonText | null;
}

/** The entry in the bytes of an element. Throws RECORD_INVALID with the member that is wrong. */
export function readEntry(bytes: Uint8Array, form: KnowledgeForm): Entry {
  const item = memberOf(bytes, 'item', 'string');
  const value = memberOf(bytes, 'value', 'string');
  const alternatives = strings(bytes, 'alternative_answers');
  return {
    fact: {
      item: item.string(),
      value: value.string(),
      accepted: [value, ...alternatives].map(text => text.string()),
    },
    item,
    value,
    alternatives,
    questions: form === 'fact' ? [memberOf(bytes, 'question', 'string')] : strings(bytes, 'questions'),
    article: form === 'fact' ? null : memberOf(bytes, 'article', 'string'),
  };
}

function strings(bytes: Uint8Array, name: string): readonly JsonText[] {
  return readItems(memberOf(bytes, name, 'array').bytes).map((text, index) => {
    if (text.kind !== 'string') throw recordInvalid(`${name}.${index}`, `must be of kind string, not ${text.kind}`);
    return text;
  });
}
