/** Compares two strings by Unicode code points; `<` compares UTF-16 units and puts U+1F600 before U+FF5E. */
export function compareCodePoints(a: string, b: string): number {
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [x, y] = [left.next(), right.next()];
    if (x.done || y.done) return (x.done ? 0 : 1) - (y.done ? 0 : 1);
    const order = x.value.codePointAt(0)! - y.value.codePointAt(0)!;
    if (order !== 0) return order;
  }
}
