import { json, type BaseRecord, type JsonText } from '@holdfast/core';
import { inChanceOrder } from '@holdfast/kit';
import type { Action } from './action.ts';
import type { Candidate } from './candidate.ts';
import { Page, around, nested, type Element } from './page.ts';

export interface Presentation {
  readonly seed: number;
  readonly negatives: number;
  readonly nested: 'keep' | 'leave_out';
  readonly html: 'pruned' | 'cleaned' | 'none';
  readonly text_characters: number;
}

/** An element that can be offered: a candidate that the page has. */
interface Offered {
  readonly candidate: Candidate;
  readonly element: Element;
}

/** What differs from question to question. */
export type Asked = Pick<BaseRecord, 'state' | 'options' | 'gold'> & { readonly metadata: JsonText };

/** What an action asks, or why it asks nothing. */
export function askAction(action: Action, id: string, given: Presentation): Asked | string {
  if (action.positives.length === 0) return 'no positive candidate';
  const page = new Page(action.html.string());
  const inPage = (candidates: readonly Candidate[]): Offered[] =>
    candidates.flatMap(candidate => {
      const element = page.find(candidate.node);
      return element === undefined ? [] : [{ candidate, element }];
    });
  const positives = inPage(action.positives);
  const target =
    positives.find(({ candidate }) => candidate.target === 'original') ??
    positives.find(({ candidate }) => candidate.target === 'top_level') ??
    positives[0];
  if (target === undefined) return 'the target is not in the page';
  // Parents and children of the target may be targets too: none of them is a wrong answer.
  const right = new Set(action.positives.map(({ node }) => node));
  const pool = inPage(action.negatives.filter(({ node }) => !right.has(node))).filter(
    ({ element }) => given.nested === 'keep' || !nested(element, target.element),
  );
  if (pool.length === 0) return 'no negative candidate';
  const { seed } = given;
  const node = ({ candidate }: Offered) => candidate.node;
  const ranked = pool.some(({ candidate }) => candidate.rank !== null);
  const rank = ({ candidate }: Offered) => candidate.rank ?? Infinity;
  const chosen = inChanceOrder(pool, node, { seed, id, purpose: 'choose' })
    .sort((left, right) => (rank(left) === rank(right) ? 0 : rank(left) - rank(right)))
    .slice(0, given.negatives);
  const offered = inChanceOrder([target, ...chosen], node, { seed, id, purpose: 'order' });
  // Upstream's node ids would tell the target: the recorder touched it first, so that its number is often the odd one.
  const names = new Map(offered.map((one, index) => [node(one), `e${index + 1}`]));
  const shown = show(page, names, given);
  let cut = 0;
  const options = offered.map(({ candidate, element }) => {
    // Twice as many units hold more characters than are shown, if there are more.
    const words = [...page.text(element).slice(0, 2 * given.text_characters + 1)];
    if (words.length > given.text_characters) cut++;
    const name = names.get(candidate.node)!;
    return {
      id: name,
      canonical_id: candidate.node,
      description: json.object([
        ['tag', candidate.tag],
        ...(candidate.attributes.shown === null ? [] : [['attributes', candidate.attributes.shown] as const]),
        ['text', words.slice(0, given.text_characters).join('')],
      ]),
    };
  });
  const attributes = (state: string) => offered.filter(({ candidate }) => candidate.attributes.state === state).length;
  return {
    state: json.object([
      ['confirmed_task', action.task],
      ...action.site,
      ['previous_actions', action.previous],
      ...(shown.html === null ? [] : [['html', shown.html] as const]),
    ]),
    options,
    gold: names.get(node(target))!,
    metadata: json.value({
      label_source: 'pos_candidates',
      target: target.candidate.target,
      target_rank: target.candidate.rank,
      positives: action.positives.length,
      operation: action.operation,
      candidates: options.length,
      candidate_order: 'by chance',
      negatives: ranked ? 'the best ranked' : 'by chance',
      negatives_available: pool.length,
      negatives_nested: chosen.filter(({ element }) => nested(element, target.element)).length,
      attributes_repaired: attributes('repaired'),
      attributes_unreadable: attributes('unreadable'),
      texts_cut: cut,
      text_characters: given.text_characters,
      html: shown.note,
      seed,
    }),
  };
}

function show(page: Page, names: ReadonlyMap<string, string>, { html }: Presentation) {
  const { elements } = page;
  const characters = page.html.length;
  switch (html) {
    case 'pruned': {
      const pruned = page.pruned(names);
      const note = {
        shown: 'pruned',
        ...around,
        elements,
        elements_shown: pruned.shown,
        characters,
        characters_shown: pruned.html.length,
      };
      return { html: json.string(pruned.html), note };
    }
    case 'cleaned': {
      const whole = page.whole(names);
      const note = { shown: 'cleaned', elements, elements_shown: elements, characters, characters_shown: whole.length };
      return { html: json.string(whole), note };
    }
    case 'none':
      return { html: null, note: { shown: 'none', elements, elements_shown: 0, characters, characters_shown: 0 } };
  }
}
