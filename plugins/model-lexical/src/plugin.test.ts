import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { JsonText, json, quote, readItems, readMap, type ModelRequest, type RequestOption } from '@holdfast/core';
import { testModel } from '@holdfast/kit/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testModel(plugin);

const services = { env: () => undefined, folder: '' };
const { signal } = new AbortController();
const lexical = plugin.create(plugin.options.parse({}), services);

const options: RequestOption[] = [
  { id: 'weather.forecast', description: json.value({ description: 'Tells how the weather of a city will be.' }) },
  { id: 'bank.transfer', description: json.value({ description: 'Sends money between accounts.' }) },
  { id: 'music.play', description: json.value({ description: 'Plays a song.' }) },
];
const request = (state: JsonText, candidates: readonly RequestOption[]): ModelRequest => ({
  id: 'r',
  state,
  questions: [{ id: 'decision', type: 'choice', instructions: json.string('Which one fits?'), options: candidates }],
});
const decide = async (text: string | JsonText, candidates: readonly RequestOption[] = options) =>
  (await lexical.decide(request(JsonText.is(text) ? text : json.value({ text }), candidates), signal))[0]!;

describe('the lexical model', () => {
  it.each([
    ['Will it rain in the city of Oslo? How is the weather?', 'weather.forecast'],
    ['Send 20 from my accounts', 'bank.transfer'],
    ['playing songs', 'music.play'],
    ['nothing of this at all', 'weather.forecast'],
  ])('%s: %s', async (text, choice) => expect((await decide(text)).choice).toBe(choice));

  it('spreads its probability evenly, with no confidence, where no word is shared', async () => {
    const answer = await decide('xyzzy');
    expect(answer.probabilities!.map(([, probability]) => probability)).toEqual([1 / 3, 1 / 3, 1 / 3]);
    expect(answer.confidence).toBe(0);
  });

  it('gives the same probabilities whatever the order, the ids or the format', async () => {
    const text = fc.array(fc.constantFrom('weather', 'city', 'money', 'song', 'play', 'of', 'é', '"', '\\', '\n'));
    await fc.assert(
      fc.asyncProperty(text, fc.shuffledSubarray(options, { minLength: 3 }), async (words, shuffled) => {
        const state = json.value({ text: words.join(' ') });
        const plain = await decide(state);
        const reordered = await decide(state, shuffled);
        expect(new Map(reordered.probabilities)).toEqual(new Map(plain.probabilities));
        expect(reordered.confidence).toBe(plain.confidence);
        expect(await decide(quote(state))).toEqual(plain);
        const relabelled = options.map(({ id, description }, index) => ({
          id: `option_00${index}`,
          description: json.object([
            ['label', id],
            ['description', description],
          ]),
        }));
        const values = (await decide(state, relabelled)).probabilities!.map(([, probability]) => probability);
        expect(values).toEqual(plain.probabilities!.map(([, probability]) => probability));
      }),
    );
  });

  it('has probabilities that sum to 1 and a confidence within 0 and 1 at any temperature', async () => {
    for (const temperature of [1e-6, 0.1, 1, 50, 1e6]) {
      const model = plugin.create(plugin.options.parse({ temperature }), services);
      const state = json.value({ text: 'weather of a city' });
      const [answer] = await model.decide(request(state, options), signal);
      const total = answer!.probabilities!.reduce((sum, [, probability]) => sum + probability, 0);
      expect(Math.abs(total - 1)).toBeLessThan(1e-12);
      expect(answer!.confidence).toBeGreaterThanOrEqual(0);
      expect(answer!.confidence).toBeLessThanOrEqual(1);
    }
  });

  it('obeys the signal', async () => {
    await expect(lexical.decide(request(json.value({}), options), AbortSignal.abort())).rejects.toThrow();
  });
});

const upstream =
  process.env['HOLDFAST_UPSTREAM'] ?? fileURLToPath(new URL('../../../../shared/upstream', import.meta.url));
const questions = `${upstream}/bfcl/BFCL_v4_multiple.json`;
const answers = `${upstream}/bfcl/possible_answer/BFCL_v4_multiple.json`;

describe.skipIf(!existsSync(questions))('on the 200 real questions of BFCL V4 multiple', () => {
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

  it('finds at least 97 % of the functions', async () => {
    const gold = new Map(
      lines(answers).map(line => {
        const { id, ground_truth } = JSON.parse(line) as { id: string; ground_truth: [Record<string, unknown>] };
        return [id, Object.keys(ground_truth[0])[0]];
      }),
    );
    let right = 0;
    for (const line of lines(questions)) {
      const members = readMap(Buffer.from(line));
      const candidates = readItems(members.get('function')!.bytes).map(item => {
        const { name, description, parameters } = Object.fromEntries(readMap(item.bytes));
        return { id: name!.string(), description: json.value({ description, parameters }) };
      });
      const [turn] = readItems(members.get('question')!.bytes);
      const answer = await decide(json.object([['messages', turn!]]), candidates);
      if (answer.choice === gold.get(members.get('id')!.string())) right++;
    }
    expect(gold.size).toBe(200);
    expect(right / gold.size).toBeGreaterThanOrEqual(0.97);
  });
});
