import { fraction, mix, pickIndex } from './hash.ts';

const { floor, max, round } = Math;

const TOUCHES = [1, 1, 2, 1, 3, 1, 1, 6];
const TOUCHES_BEFORE = TOUCHES.map((_, index) => TOUCHES.slice(0, index).reduce((sum, touches) => sum + touches, 0));
const TOUCHES_PER_ROUND = TOUCHES.reduce((sum, touches) => sum + touches, 0);

/** In one of twenty 60-day stretches the board is gone for 3 to 72 hours. */
const ABSENCE_PERIOD_HOURS = 60 * 24;
const ABSENCE_SHARE = 0.05;
const MIN_ABSENCE_HOURS = 3;
const MAX_ABSENCE_HOURS = 72;

export function blockHoursOf(share: number): number {
  return share === 0 ? Infinity : max(1, round(1 / share));
}

/** One change in each block of hours. Cost independent of the hour. */
export function changesUntil(boardSeed: number, hour: number, blockHours: number): number {
  if (blockHours === Infinity) return 0;
  const shifted = hour + pickIndex(mix(boardSeed, 1), blockHours);
  const block = floor(shifted / blockHours);
  const changeHour = block * blockHours + pickIndex(mix(mix(boardSeed, 2), block), blockHours);
  return block + (changeHour <= shifted ? 1 : 0);
}

export function touchesOf(changes: number): number {
  return floor(changes / TOUCHES.length) * TOUCHES_PER_ROUND + (TOUCHES_BEFORE[changes % TOUCHES.length] ?? 0);
}

export function isAbsent(boardSeed: number, hour: number): boolean {
  const stretch = floor(hour / ABSENCE_PERIOD_HOURS);
  const hash = mix(mix(boardSeed, 3), stretch);
  if (fraction(hash) >= ABSENCE_SHARE) return false;
  const first = stretch * ABSENCE_PERIOD_HOURS + pickIndex(mix(hash, 1), ABSENCE_PERIOD_HOURS - MAX_ABSENCE_HOURS);
  return (
    hour >= first && hour < first + MIN_ABSENCE_HOURS + pickIndex(mix(hash, 2), MAX_ABSENCE_HOURS - MIN_ABSENCE_HOURS)
  );
}

const MIN_STEPS = 2;
const STEP_SPREAD = 5;
const RESTING_SHARE = 1 / 3;
const RENAMED_SHARE = 1 / 6;

export const EMPTY_SHARE = 0.073;

/** Each touch advances a position: a new player, an improvement, a rename, or a vacancy (`isTaken` is false). */
export function positionState(positionSeed: number, touches: number, canRest: boolean, canBeRenamed: boolean) {
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
