import { adaptiveCalibrationError } from '../calibration/adaptive.ts';
import { equalMassCalibration } from '../calibration/equal-mass.ts';
import { equalWidthCalibration } from '../calibration/equal-width.ts';
import { properScores } from '../calibration/proper-scores.ts';
import { confidenceProxies } from '../confidence/proxies.ts';
import type { Metrics } from './metric.ts';

interface Binned {
  p_choice: readonly number[];
  correct: readonly number[];
  bins: number;
}

interface Distributions {
  probabilities: readonly (readonly number[])[];
  gold: readonly number[];
}

export const calibrationMetrics = {
  'calibration.ece-width': ({ p_choice, correct, bins }: Binned) => equalWidthCalibration(p_choice, correct, bins),
  'calibration.ece-mass': ({ p_choice, correct, bins }: Binned) => equalMassCalibration(p_choice, correct, bins),
  'calibration.ace': ({ probabilities, gold, ranges }: Distributions & { ranges: number }) => ({
    ace: adaptiveCalibrationError(probabilities, gold, ranges),
  }),
  'calibration.proper-scores': ({ probabilities, gold, choice }: Distributions & { choice: readonly number[] }) =>
    properScores(probabilities, gold, choice),
  'confidence.proxies': ({ probabilities }: Pick<Distributions, 'probabilities'>) =>
    probabilities.map(row => confidenceProxies(row)),
} satisfies Metrics;
