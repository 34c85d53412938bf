/** Above this many steps the exact distance costs too much. */
const STEPS = 25_000_000;

/**
 * Insertions, deletions and replacements of characters from one text to the other, as a share of the longer one's
 * length. For very long texts a lower bound: what must be replaced because the other text does not have it.
 */
export function distance(left: string, right: string): number {
  const longer = Math.max(left.length, right.length);
  if (longer === 0) return 0;
  return (left.length * right.length > STEPS ? bagDistance(left, right) : editDistance(left, right)) / longer;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 0; at < left.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < right.length; to++) {
      const replaced = row[to]! + (left[at] === right[to] ? 0 : 1);
      next.push(Math.min(replaced, row[to + 1]! + 1, next[to]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}

function bagDistance(left: string, right: string): number {
  const counts = new Map<string, number>();
  for (const character of left) counts.set(character, (counts.get(character) ?? 0) + 1);
  for (const character of right) counts.set(character, (counts.get(character) ?? 0) - 1);
  const surplus = [...counts.values()];
  const [more, less] = [1, -1].map(sign => surplus.reduce((sum, count) => sum + Math.max(0, sign * count), 0));
  return Math.max(more!, less!);
}
