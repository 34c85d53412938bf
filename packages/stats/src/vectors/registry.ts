import { agreementMetrics } from './agreement.ts';
import { biasMetrics } from './bias.ts';
import { calibrationMetrics } from './calibration.ts';
import { cardMetrics } from './card.ts';
import type { Metrics } from './metric.ts';
import { robustnessMetrics } from './robustness.ts';
import { selectiveMetrics } from './selective.ts';
import { statsMetrics } from './stats.ts';

/** Every metric that vectors can ask for. */
export const registry: Metrics = {
  ...cardMetrics,
  ...robustnessMetrics,
  ...statsMetrics,
  ...selectiveMetrics,
  ...calibrationMetrics,
  ...biasMetrics,
  ...agreementMetrics,
};
