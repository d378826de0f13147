import { fraction, mix, pickIndex } from './hash.ts';

const { floor } = Math;

const LEAST_STEPS = 2;
const STEP_SPREAD = 5;
const RESTING_SHARE = 1 / 3;
const RENAMED_SHARE = 1 / 6;

/** This part of a board's places is empty on average. */
export const EMPTY_SHARE = 0.073;

/** What a place of a board holds after it was touched some times. */
export interface PlaceState {
  /** Whether there is an entry. */
  isTaken: boolean;
  /** Which of the players that take the place one after the other has it, or had it last. */
  career: number;
  /** How often that player has improved. */
  improvements: number;
  /** Whether that player has another name by now. */
  isRenamed: boolean;
}

/**
 * The state of a place after `touches` touches. Each touch goes one step on: a player comes, improves some times, has
 * another name once in a while, is replaced by the next one or leaves the place empty for a time. No step leaves
 * everything as it was.
 */
export function placeState(placeSeed: number, touches: number, canRest: boolean, canBeRenamed: boolean): PlaceState {
  const steps = LEAST_STEPS + pickIndex(mix(placeSeed, 1), STEP_SPREAD);
  const period = canRest && fraction(mix(placeSeed, 2)) < RESTING_SHARE ? steps + 1 : steps;
  const age = touches + pickIndex(mix(placeSeed, 3), period);
  const career = floor(age / period);
  const step = age - career * period;
  const isRenamed = canBeRenamed && step >= renamingStep(mix(mix(placeSeed, 4), career), steps);
  return { isTaken: step < steps, career, improvements: isRenamed ? step - 1 : step, isRenamed };
}

function renamingStep(careerSeed: number, steps: number): number {
  return fraction(careerSeed) < RENAMED_SHARE ? 1 + pickIndex(mix(careerSeed, 1), steps - 1) : Infinity;
}
