import { json, type JsonText } from '@holdfast/core';
import { chooseNavigation, chooseTarget } from './bank/choose-element.ts';
import { chooseFunction } from './bank/choose-function.ts';
import type { Family } from './bank/family.ts';
import { judgeAgreement } from './bank/judge-agreement.ts';
import { judgeEvidence } from './bank/judge-evidence.ts';
import { judgeHarm } from './bank/judge-harm.ts';
import { judgeRepair } from './bank/judge-repair.ts';
import { judgeStep } from './bank/judge-step.ts';
import { judgeLooping, judgeSideEffects, judgeSuccess } from './bank/judge-trajectory.ts';
import { nameAttack } from './bank/name-attack.ts';

export const families: readonly Family[] = [
  chooseFunction,
  chooseNavigation,
  chooseTarget,
  judgeAgreement,
  judgeEvidence,
  judgeHarm,
  judgeLooping,
  judgeRepair,
  judgeSideEffects,
  judgeStep,
  judgeSuccess,
  nameAttack,
];

const rewrites = new Map(families.map(family => [family.instruction, family.rewrites.map(json.string)]));

/** The reviewed rewrites of exactly these instructions; none where they are in no family. */
export function rewritesOf(instructions: JsonText): readonly JsonText[] {
  return (instructions.kind === 'string' && rewrites.get(instructions.string())) || [];
}
