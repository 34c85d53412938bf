/** A numeric test vector: what a metric must give for an input. */
export interface Vector {
  readonly id: string;
  readonly metric: string;
  readonly input: unknown;
  readonly expected: unknown;
}

const format = 'metric-vectors/1';

/**
 * The vectors in the text of a `metric-vectors/1` file, the input string 'NaN' read as the number NaN.
 * Throws a SyntaxError whose message is one sentence for any other text.
 */
export function parseVectors(text: string): Vector[] {
  const file = parseJson(text);
  if (!isObject(file) || !Array.isArray(file['vectors'])) throw new SyntaxError('It has no list of vectors.');
  if (file['format'] !== undefined && file['format'] !== format) throw new SyntaxError(`Its format is not ${format}.`);
  return file['vectors'].map((vector: unknown, place) => {
    if (
      !isObject(vector) ||
      typeof vector['id'] !== 'string' ||
      typeof vector['metric'] !== 'string' ||
      !('input' in vector) ||
      !('expected' in vector)
    ) {
      throw new SyntaxError(`Its vector ${place + 1} lacks a text id or metric, an input or an expected value.`);
    }
    const { id, metric, input, expected } = vector;
    return { id, metric, input: reviveNaN(input), expected } as Vector;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError('It is not JSON.');
  }
}

function reviveNaN(value: unknown): unknown {
  if (value === 'NaN') return NaN;
  if (Array.isArray(value)) return value.map(reviveNaN);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, reviveNaN(inner)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
