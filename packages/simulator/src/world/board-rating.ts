import { fraction, mix, pick, pickIndex } from './hash.ts';

const { floor } = Math;

const MIN_DISTANCE = 24;
const SPANS = [120, 400, 2_000, 9_000, 30_000] as const;
const TIME_QUANTA = [1, 1, 10, 17, 100] as const;
const SCORE_QUANTA = [1, 5, 10, 100, 250] as const;
const BEST_TIMES_MS = [19_400, 47_000, 58_300, 83_700, 151_000, 402_900, 3_481_000] as const;

export interface RatingScale {
  isTime: boolean;
  ratingAt(distance: number): { rating: string; timeMs: number };
  distanceOf(careerSeed: number, improvements: number): number;
}

export function ratingScale(boardSeed: number, isTime: boolean): RatingScale {
  const span = pick(mix(boardSeed, 11), SPANS);
  const quantum = pick(mix(boardSeed, 12), isTime ? TIME_QUANTA : SCORE_QUANTA);
  const bestMs = pick(mix(boardSeed, 13), BEST_TIMES_MS) + 100 * pickIndex(mix(boardSeed, 14), 100);
  const ratingAt = isTime
    ? (distance: number) => {
        const timeMs = bestMs + distance * quantum;
        return { rating: formatTime(timeMs), timeMs };
      }
    : (distance: number) => ({ rating: ((MIN_DISTANCE + span - distance) * quantum).toLocaleString('en'), timeMs: 0 });
  return {
    isTime,
    ratingAt,
    distanceOf(careerSeed, improvements) {
      const first = MIN_DISTANCE + floor(span * fraction(mix(careerSeed, 5)) ** 1.7);
      const stride = 1 + floor((first / 16) * fraction(mix(careerSeed, 6)));
      // A remainder below the stride makes steps uneven and keeps them positive.
      return first - improvements * stride - pickIndex(mix(careerSeed, 32 + improvements), stride);
    },
  };
}

function formatTime(timeMs: number): string {
  const seconds = floor(timeMs / 1000);
  return `${pad(floor(seconds / 60), 2)}:${pad(seconds % 60, 2)}.${pad(timeMs % 1000, 3)}`;
}

function pad(count: number, digits: number): string {
  return String(count).padStart(digits, '0');
}
