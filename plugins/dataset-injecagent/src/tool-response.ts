import { JsonText } from '@holdfast/core';

export interface ToolResponse {
  readonly text: JsonText;
  /** Whether the quotes that upstream puts around the response were there, and taken off. */
  readonly unwrapped: boolean;
}

/**
 * What the tool answered. Upstream has put double quotes around it and a backslash before each quote inside, so that
 * its JSON strings start with `"\"`: both come off here, on the text, so that everything else keeps its spelling.
 */
export function unwrap(response: JsonText): ToolResponse {
  const written = response.toString();
  if (!/^"\\".*\\""$/s.test(written) || written.length < 6) return { text: response, unwrapped: false };
  // Escapes are met whole, so that a backslash is never taken for the start of the escape behind it.
  const inside = written.slice(3, -3).replace(/\\\\\\"|\\./g, escape => (escape === '\\\\\\"' ? '\\"' : escape));
  return { text: JsonText.trusted(Buffer.from(`"${inside}"`, 'utf8')), unwrapped: true };
}
