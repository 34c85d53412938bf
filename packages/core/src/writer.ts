/** Text a model wrote, with what identifies it. */
export interface WrittenText {
  readonly text: string;
  readonly served_model: string | null;
}

/** Writes text, for operators that rephrase. Offered by some model plugins beside their adapter. */
export interface Writer {
  readonly identity: { readonly [option: string]: string | number | boolean | null };
  write(prompt: string, signal: AbortSignal): Promise<WrittenText>;
}
