/** What sort of thing an answer is: a wrong answer should be of the same sort. */
export interface Kind {
  readonly name: string;
  /** Words without a form of their own: where no answer of the kind fits, any other words will do. */
  readonly words: boolean;
}

/** Forms that tell the kind from the value alone, first match first. */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['phone', /^\+?(?:[\s().-]*\d){7,}$/],
  ['percentage', /^[\d.,]+\s*%$/],
  ['money', /^[$€£]\s*\d/],
  ['score', /^[\d.]+\s*\/\s*\d+$/],
  ['count', /^[\d.,]+$/],
];

/** Words of the item that tell what its answer is, first match first. */
const subjects: readonly (readonly [name: string, subject: RegExp])[] = [
  ['password', /\bpassword\b/i],
  ['network', /\bwi-?fi network\b/i],
  ['address', /\baddress\b/i],
  ['person', /\b(?:ceo|cfo|cto|head of|manager|director|president|shareholder|employee of the month)\b/i],
  ['brand', /\b(?:brand|make) of\b/i],
  ['color', /\bcolou?r of\b/i],
  ['software', /\b(?:software|platform)\b/i],
  ['product', /\bproduct\b/i],
  ['type', /^(?:the )?type of\b/i],
  ['organization', /\b(?:provider|supplier|firm|auditor|competitor|client)\b/i],
  ['name', /^(?:the )?name of\b/i],
];

/** Kinds that other words would be told from by their looks alone. */
const ownLooks = new Set(['password', 'network', 'address']);

/** The kind of an item's answer. Values are text in upstream even where they look like numbers. */
export function kindOf(item: string, value: string): Kind {
  // "1998" could be a count: only the item says that it is a year.
  if (/^\d{4}$/.test(value) && /\byear\b/i.test(item)) return { name: 'year', words: false };
  const form = forms.find(([, pattern]) => pattern.test(value));
  if (form !== undefined) return { name: form[0], words: false };
  const unit = /^[\d.,]*\d\s+([^\d,]+)$/.exec(value)?.[1];
  if (unit !== undefined) return { name: `quantity (${unit.toLowerCase()})`, words: false };
  const subject = subjects.find(([, pattern]) => pattern.test(item));
  if (subject !== undefined) return { name: subject[0], words: !ownLooks.has(subject[0]) };
  return { name: 'words', words: true };
}
