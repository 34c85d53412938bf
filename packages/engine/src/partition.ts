import { random } from './random.ts';

/** `dev` for about a fifth of the groups, `test` for the rest: all questions of a group are on one side. */
export function partition(seed: number, dataset: string, group_id: string): 'dev' | 'test' {
  return random(seed, 'local_partition', dataset, group_id).next() < 0.2 ? 'dev' : 'test';
}
