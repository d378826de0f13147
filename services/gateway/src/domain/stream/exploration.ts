import { Backlog, type BacklogLimits } from './backlog.ts';
import { FactFrames, forgottenBy } from './fact-frames.ts';
import type { FactHistory } from './fact-history.ts';
import type { TitleNames } from './topic-events.ts';

/** What an exploration needs. */
export interface Explorer {
  history: FactHistory;
  limits: BacklogLimits;
  titles: TitleNames;
}

/** What is known of the stream when an exploration begins, and goes on becoming more. */
export interface Known {
  readonly backlog: Backlog;
  /** The log's position behind which every fact is known. */
  readonly edge: () => string;
  /** The log's position behind the newest fact that is known. */
  readonly last: () => string;
}

/** What an exploration has found. */
export interface Found {
  /** What it came by before it met with anything known. */
  readonly older: Backlog;
  /** The number of the frame that it met with; undefined at the edge. */
  readonly at: number | undefined;
}

/** Reads the log from a position up to what is known; undefined where that can't be done. */
export async function explore(
  from: string,
  { history, limits, titles }: Explorer,
  { backlog, edge, last }: Known,
): Promise<Found | undefined> {
  const older = new Backlog(limits);
  const frames = new FactFrames(from, titles);
  let found: Found | undefined;
  await history.read(from, (fact) => {
    const { position, message } = fact;
    const isEdge = position === edge();
    const at = isEdge
      ? undefined
      : (backlog.numberEndingAt(position) ?? (position === last() ? backlog.end : undefined));
    if (at !== undefined) {
      found = { older, at };
      return false;
    }
    const frame = frames.next(fact);
    // It will have no room: only whoever has missed nothing that was said before what is known can be led on.
    if (frame !== undefined && backlog.isFull) return false;
    if (frame !== undefined) older.append(frame);
    const forgotten = forgottenBy(message);
    if (forgotten !== undefined) older.forget(forgotten);
    if (isEdge) found = { older, at };
    return !isEdge;
  });
  return found;
}
