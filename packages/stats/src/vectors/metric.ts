/**
 * Metrics by their key, each from a vector's input to what the vector expects. Inputs are the vectors' own and typed by
 * each adapter; one that does not fit throws, and the vector fails.
 */
export type Metrics = Readonly<Record<string, (input: never) => unknown>>;

/** A key of `name` if the input asks for it, since a vector expects only what it asks for. */
export function asked<T>(name: string, wanted: readonly T[] | undefined, compute: (one: T) => unknown) {
  return wanted === undefined ? {} : { [name]: wanted.map(one => compute(one)) };
}
