import { Backlog, type BacklogLimits } from './backlog.ts';
import { formatPlace, parsePosition, type LogPlace } from './event-id.ts';
import { FactFrames, forgottenBy } from './fact-frames.ts';
import type { FactHistory } from './fact-history.ts';
import type { TitleNames } from './topic-events.ts';

/** What reading the log's past needs. */
export interface PastSource {
  history: FactHistory;
  limits: BacklogLimits;
  titles: TitleNames;
}

/** The part of the log between a place and what a backlog has. */
export interface Past {
  readonly frames: Backlog;
  /** Keys of the people whom facts of this part erase. */
  readonly forgotten: ReadonlySet<string>;
}

/** Reads the log from a place up to what is in the backlog; undefined where that can't be done. */
export async function readPast(
  from: LogPlace,
  backlog: Backlog,
  { history, limits, titles }: PastSource,
): Promise<Past | undefined> {
  const { since: until } = backlog;
  const position = formatPlace(from);
  const facts = new FactFrames(position, titles);
  const past = { frames: new Backlog(from.offset, limits), forgotten: new Set<string>(), isWhole: false };
  await history.read(position, (fact) => {
    // Frames that leave the backlog meanwhile show that there is no room for older ones.
    if (backlog.since !== until) return false;
    const { offset } = parsePosition(fact.position);
    past.isWhole = offset >= until;
    // The fact that the backlog begins behind may be unreadable: then a newer one comes first.
    if (offset > until) return false;
    const frame = facts.next(fact);
    if (frame !== undefined) past.frames.append(frame);
    const forgotten = forgottenBy(fact.message);
    if (forgotten !== undefined) {
      past.frames.forget(forgotten);
      past.forgotten.add(forgotten);
    }
    return !past.isWhole;
  });
  return past.isWhole && backlog.since === until ? past : undefined;
}
