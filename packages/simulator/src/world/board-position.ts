import { fraction, mix, pickIndex } from './hash.ts';

const { floor } = Math;

const MIN_STEPS = 2;
const STEP_SPREAD = 5;
const RESTING_SHARE = 1 / 3;
const RENAMED_SHARE = 1 / 6;

export const EMPTY_SHARE = 0.073;

export interface PositionState {
  /** Whether the position has a player. */
  isTaken: boolean;
  career: number;
  improvements: number;
  isRenamed: boolean;
}

/** Each touch advances a position: a new player, an improvement, a rename, or a vacancy. */
export function positionState(
  positionSeed: number,
  touches: number,
  canRest: boolean,
  canBeRenamed: boolean,
): PositionState {
  const steps = MIN_STEPS + pickIndex(mix(positionSeed, 1), STEP_SPREAD);
  const period = canRest && fraction(mix(positionSeed, 2)) < RESTING_SHARE ? steps + 1 : steps;
  const age = touches + pickIndex(mix(positionSeed, 3), period);
  const career = floor(age / period);
  const step = age - career * period;
  const isRenamed = canBeRenamed && step >= renamingStep(mix(mix(positionSeed, 4), career), steps);
  return { isTaken: step < steps, career, improvements: isRenamed ? step - 1 : step, isRenamed };
}

function renamingStep(careerSeed: number, steps: number): number {
  return fraction(careerSeed) < RENAMED_SHARE ? 1 + pickIndex(mix(careerSeed, 1), steps - 1) : Infinity;
}
