import { setImmediate } from 'node:timers/promises';
import { openReputationStore } from './context.ts';
import { Moderation, type ModerationOutcome } from './domain/moderation.ts';

/** What operators do to ratings, on a store of their own hand. */
export interface ReputationModeration {
  /** Hides the comment that a rater has given to a profile, and each later one, until it is shown. */
  hide(rater: string, profile: string): Promise<ModerationOutcome>;
  /** Shows the comment that a rater has given to a profile, and later ones. */
  show(rater: string, profile: string): Promise<ModerationOutcome>;
  /** Bars somebody from rating: none of their ratings counts or shows any more. */
  bar(rater: string): Promise<ModerationOutcome>;
  close(): Promise<void>;
}

export interface ReputationModerationOptions {
  /** `DATABASE_URL` of the service. */
  url: string;
  /** The network whose people they are. */
  origin: string;
  /** Epoch milliseconds. */
  clock: () => number;
}

/** A command has time: between two commits of a busy service there is always room. */
const LOCKED_FOR_MS = 5000;

/**
 * Opens the store beside running services, which see each change at once and publish its facts within seconds. All of it
 * may be done again, after it was cut off, too.
 *
 * @throws RefusalError when the store can't be opened as it is
 * @throws AppError `unavailable` when it is away
 */
export async function openReputationModeration(options: ReputationModerationOptions): Promise<ReputationModeration> {
  const { url, origin, clock } = options;
  const store = await openReputationStore(url, origin, LOCKED_FOR_MS);
  const moderation = new Moderation({ store, clock, origin, pause: () => setImmediate() });
  return {
    hide: (rater, profile) => moderation.hide(rater, profile),
    show: (rater, profile) => moderation.show(rater, profile),
    bar: (rater) => moderation.bar(rater),
    close: () => store.close(),
  };
}
