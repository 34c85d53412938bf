import { json, type ModelRequest } from '@holdfast/core';
import { testModel } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

for (const strategy of ['first_option', 'uniform', 'longest_description']) testModel(plugin, { options: { strategy } });

const services = { env: () => undefined, folder: '' };
const { signal } = new AbortController();
const create = (strategy: string) => plugin.create(plugin.options.parse({ strategy }), services);
const request = (descriptions: readonly (string | null)[], id = 'r'): ModelRequest => ({
  id,
  state: json.value({ text: 'anything' }),
  questions: [
    {
      id: 'decision',
      type: 'choice',
      instructions: json.string('Which?'),
      options: descriptions.map((description, index) => ({ id: `o${index}`, description: json.value(description) })),
    },
  ],
});
const decide = async (strategy: string, asked: ModelRequest) => (await create(strategy).decide(asked, signal))[0]!;

describe('a baseline', () => {
  it.each<[string, (string | null)[], string, number[], number]>([
    ['first_option', ['a', 'bbb'], 'o0', [1, 0], 1],
    ['longest_description', ['a', 'bbb', 'cc'], 'o1', [0, 1, 0], 1],
    ['longest_description', ['aa', 'é'], 'o0', [1, 0], 1],
    ['longest_description', ['a', 'é'], 'o1', [0, 1], 1],
    ['longest_description', [null, ''], 'o1', [0, 1], 1],
    ['longest_description', [null, null], 'o0', [1, 0], 1],
  ])('%s of %j is %s', async (strategy, descriptions, choice, probabilities, confidence) => {
    const answer = await decide(strategy, request(descriptions));
    expect(answer).toMatchObject({ question_id: 'decision', choice, confidence });
    expect(answer.probabilities).toEqual(probabilities.map((probability, index) => [`o${index}`, probability]));
  });

  it('of even chances says so, and spreads its choices over requests', async () => {
    const counts = [0, 0, 0];
    for (let index = 0; index < 600; index++) {
      const answer = await decide('uniform', request(['a', 'b', 'c'], `r${index}`));
      expect(answer.probabilities).toEqual([
        ['o0', 1 / 3],
        ['o1', 1 / 3],
        ['o2', 1 / 3],
      ]);
      expect(answer.confidence).toBe(0);
      counts[Number(answer.choice[1])]!++;
    }
    for (const count of counts) expect(count).toBeGreaterThan(150);
    expect(await decide('uniform', request(['a', 'b', 'c']))).toEqual(
      await decide('uniform', request(['a', 'b', 'c'])),
    );
  });

  it('obeys the signal', async () => {
    await expect(create('uniform').decide(request(['a', 'b']), AbortSignal.abort())).rejects.toThrow();
  });

  it('needs a strategy', () => {
    expect(plugin.options.safeParse({}).success).toBe(false);
    expect(plugin.options.safeParse({ strategy: 'uniform', extra: 1 }).success).toBe(false);
  });
});
