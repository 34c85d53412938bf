import { consistency } from '../robustness/consistency.ts';
import { dependence } from '../robustness/dependence.ts';
import { drift } from '../robustness/drift.ts';
import { operatorDelta } from '../robustness/operator-delta.ts';
import { passHatK } from '../robustness/pass-hat-k.ts';
import type { Metrics } from './metric.ts';

type Matrix = readonly (readonly number[])[];

export const robustnessMetrics = {
  'robustness.consistency': ({ canonical_choices }: { canonical_choices: readonly (readonly string[])[] }) =>
    consistency(canonical_choices),
  'robustness.operator-delta': ({ original, perturbed }: Record<'original' | 'perturbed', readonly number[]>) =>
    operatorDelta(original, perturbed),
  'robustness.pass-hat-k': ({ versions, correct_counts }: { versions: number; correct_counts: readonly number[] }) =>
    passHatK(versions, correct_counts),
  'robustness.dependence': ({ correct }: { correct: Matrix }) => dependence(correct),
  'robustness.drift': ({ original, perturbed }: Record<'original' | 'perturbed', Matrix>) => drift(original, perturbed),
} satisfies Metrics;
