import PQueue from 'p-queue';

/** `first` before all others, for rare requests; `last` behind all others, for those that can wait. */
export type Urgency = 'first' | 'usual' | 'last';

export const PRIORITIES: Readonly<Record<Urgency, number>> = { first: 1, usual: 0, last: -1 };

/** A late timer delays a whole interval: shorter intervals lose much of the rate. */
const INTERVALS_PER_SECOND = 10;

/** A queue that spreads requests over the second. No second, wherever it begins, has more than `perSecond`. */
export function requestQueue(perSecond: number): PQueue {
  const intervalCap = Math.ceil(perSecond / INTERVALS_PER_SECOND);
  const interval = Math.ceil(1000 / Math.floor(perSecond / intervalCap));
  return new PQueue({ intervalCap, interval, strict: true });
}
