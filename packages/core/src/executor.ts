/** What is done to each item of a plan: a module that default-exports the work, and plain data for it. */
export interface Job {
  /** URL or package name of the module. */
  readonly module: string;
  readonly options: unknown;
}

/** What came of one item. */
export interface Result<Value = unknown> {
  readonly index: number;
  readonly value: Value;
}

/** Spreads work. Items and results cross process borders as plain data; closures do not. */
export interface Executor {
  run<Item, Value>(plan: AsyncIterable<Item>, job: Job, signal: AbortSignal): AsyncIterable<Result<Value>>;
}
