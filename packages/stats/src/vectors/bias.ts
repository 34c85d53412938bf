import { orderReversal } from '../bias/order-reversal.ts';
import { positionPrior } from '../bias/position-prior.ts';
import { positionBias } from '../bias/position.ts';
import type { Metrics } from './metric.ts';

interface PositionInput {
  options: number;
  choice_position: readonly number[];
  gold_position: readonly number[];
}

type ReversalInput = Record<'pos_original' | 'pos_reversed' | 'option_counts', readonly number[]>;

export const biasMetrics = {
  'bias.position': ({ options, choice_position, gold_position }: PositionInput) =>
    positionBias(options, choice_position, gold_position),
  'bias.order-reversal': ({ pos_original, pos_reversed, option_counts }: ReversalInput) =>
    orderReversal(pos_original, pos_reversed, option_counts),
  'bias.pride-prior': ({ cases }: { cases: readonly (readonly (readonly number[])[])[] }) =>
    cases.map(presentations => positionPrior(presentations)),
} satisfies Metrics;
