import { HoldfastError, readItems, readMembers, type FoundFile, type JsonText } from '@holdfast/core';
import { type JsonLine, memberOf, readJsonLines, recordInvalid } from '@holdfast/kit';

/** The answer to one question: which functions are called. Their arguments are not looked at. */
export class Answer {
  readonly #line: JsonLine;
  readonly #calls: JsonText;

  constructor(line: JsonLine, calls: JsonText) {
    this.#line = line;
    this.#calls = calls;
  }

  /** Where it stands, for errors. */
  get place(): string {
    return `${this.#line.file}:${this.#line.number}`;
  }

  /** The names of the functions that are called, in order. Throws RECORD_INVALID where the calls are malformed. */
  functions(): readonly string[] {
    return this.#line.read(() =>
      readItems(this.#calls.bytes).flatMap((call, index) => {
        if (call.kind !== 'object') throw recordInvalid(`ground_truth.${index}`, `must be an object, not ${call.kind}`);
        return readMembers(call.bytes).map(([name]) => name);
      }),
    );
  }
}

/** The answers by upstream's id. Throws UPSTREAM_INVALID where an id stands twice. */
export async function readAnswers({ name, path }: FoundFile, signal: AbortSignal): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for await (const line of readJsonLines(path, { file: name, signal })) {
    const { id, calls } = line.read(bytes => ({
      id: memberOf(bytes, 'id', 'string').string(),
      calls: memberOf(bytes, 'ground_truth', 'array'),
    }));
    const answer = new Answer(line, calls);
    const earlier = answers.get(id);
    if (earlier !== undefined) {
      throw new HoldfastError('UPSTREAM_INVALID', `${answer.place}: ${id} has an answer already, at ${earlier.place}`, {
        facts: { file: name, line: line.number, id },
      });
    }
    answers.set(id, answer);
  }
  return answers;
}
