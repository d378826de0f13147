import { setTimeout as pause } from 'node:timers/promises';
import { STREAM_RESUMABLE_EVENTS, type Message } from '@lobbystats/contracts';
import type { LogPosition, LogReader, MessageBus } from '@lobbystats/service-kit/bus';
import type { BacklogLimits } from './backlog.ts';
import { formatPosition, parsePosition } from './stream-frame.ts';
import { StreamLog, type StreamLogOptions } from './stream-log.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';

export interface BackfillOptions {
  bus: Pick<MessageBus, 'readLog'>;
  directory: Pick<TitleDirectory, 'find'>;
  limits?: BacklogLimits;
  /**
   * Numbers of newest facts to read, ascending: the next one is tried if a number yields too few events, and after the first one
   * unless it fills the backlog.
   */
  facts?: readonly number[];
  deadlineMs?: number;
  pause?: StreamLogOptions['pause'];
}

/** `onFact` receives each fact that is read, in order, some of them again. */
export type BackfillStream = (end: LogPosition, onFact?: (fact: Message) => void) => Promise<StreamLog>;

/** Holds four slots of a large network and the leaderboard changes of about an hour. */
const LIMITS: BacklogLimits = {
  minEvents: STREAM_RESUMABLE_EVENTS,
  maxEvents: 10_000,
  maxBytes: 8 * 1024 * 1024,
};
/**
 * Many facts yield no event, such as backfilled ones; some yield thousands, and 2,000 of those take seconds. A busy RabbitMQ
 * takes 7 s for 20,000 facts.
 */
const FACTS = [200, 2000, 20_000];
const DEADLINE_MS = 10_000;

export function backfillStream({
  bus,
  facts = FACTS,
  deadlineMs = DEADLINE_MS,
  ...options
}: BackfillOptions): BackfillStream {
  const { directory, limits = LIMITS } = options;
  const titles = { nameOf: (titleId: string) => directory.find(titleId)?.name ?? '' };
  const pauseFor = options.pause ?? ((ms: number) => pause(ms, undefined, { ref: false }));
  const startLog = (from: LogPosition) => new StreamLog(from, { titles, limits, pause: pauseFor });
  const read = async (end: LogPosition, count: number, onFact: (fact: Message) => void) => {
    const { logId, offset: newest } = parsePosition(end);
    const after = (offset: number) => formatPosition({ logId, offset: Math.max(offset, 0) });
    const from = after(newest - count);
    let log = startLog(from);
    let isReset = false;
    const isRead = await readToEnd(bus, deadlineMs, {
      from,
      isLiveOnly: true,
      onEntry: (fact) => {
        const { offset } = parsePosition(fact.position);
        if (offset > newest) return;
        if (isReset) log = startLog(after(offset - 1));
        isReset = false;
        onFact(fact.message);
        log.append(fact);
      },
      // The position has left the log: the backlog begins with the next fact.
      onReset: () => {
        log = startLog(end);
        isReset = true;
      },
    });
    if (!isRead) return undefined;
    log.passTo(end);
    return log;
  };
  return async (end, onFact = () => undefined) => {
    let newest = startLog(end);
    for (const count of facts) {
      const log = await read(end, count, onFact);
      if (log === undefined) break;
      newest = log;
      const isEnough = count === facts[0] ? log.backlog.isFull : log.backlog.hasMinimum;
      if (isEnough || count >= parsePosition(end).offset) break;
    }
    return newest;
  };
}

async function readToEnd(
  bus: BackfillOptions['bus'],
  deadlineMs: number,
  reader: Pick<LogReader, 'from' | 'isLiveOnly' | 'onEntry' | 'onReset'>,
): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const deadline = setTimeout(() => over.resolve(false), deadlineMs);
  try {
    const reading = await bus.readLog({
      ...reader,
      onCaughtUp: () => over.resolve(true),
      onFault: () => over.resolve(false),
    });
    const isRead = await over.promise;
    await reading.stop();
    return isRead;
  } catch {
    // The bus is closed or unreachable: the log reader reports it.
    return false;
  } finally {
    clearTimeout(deadline);
  }
}
