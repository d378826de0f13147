import { messagesByKey, parseInstant, slotRemoved, slotStored, titleStored } from '@lobbystats/contracts';
import type { LogEntry, LogPosition, MessageBus, Subscription } from '@lobbystats/service-kit/bus';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Freshness } from '../cache/freshness.ts';
import type { CollectorStatus } from '../status/collector-status.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import type { TitleDirectory, TitleList } from '../titles/title-directory.ts';
import type { BackfillStream } from '../stream/backfill-stream.bus.ts';

interface StreamTarget {
  begin(log: StreamLog): void;
  append(entry: LogEntry): void;
}

export interface FactSubscriberOptions {
  bus: MessageBus;
  directory: TitleDirectory;
  freshness: Freshness;
  cache: ResponseCache;
  /** URL index: cleared when game names change. */
  known: { clear(): void };
  stream: StreamTarget;
  status: CollectorStatus;
  backfillStream: BackfillStream;
  loadTitles: () => Promise<TitleList>;
}

export type FactSubscriber = (onFault: (error: unknown) => void) => Promise<Subscription>;

/**
 * Updates the title directory, the cache and the stream from the fact log. The log's end is read before the titles, so
 * no fact is missed; duplicates have no effect. A restart resumes at the last position, or reloads everything if that was
 * truncated. The stream's backlog is read after the titles, whose names it needs.
 */
export function createFactSubscriber(follower: FactSubscriberOptions): FactSubscriber {
  const { bus, directory, freshness, cache, known, stream, status, backfillStream, loadTitles } = follower;
  let position: LogPosition | undefined;
  let failedAt: LogPosition | undefined;

  const reload = async (): Promise<LogPosition> => {
    const end = await bus.logEnd();
    directory.load(await loadTitles());
    known.clear();
    stream.begin(await backfillStream(end, (fact) => status.apply(fact)));
    cache.invalidateAll();
    return end;
  };
  const apply = ({ message }: LogEntry): void => {
    let isNewSlot = false;
    if (message.type === titleStored.key) {
      const { revision, titles, retired } = titleStored.data.parse(message.data);
      directory.put(revision, titles, retired);
      freshness.changedInSlot();
      known.clear();
    }
    if (message.type === slotStored.key) {
      if (message.past) freshness.changedInSlot();
      else isNewSlot = freshness.slotPublished(parseInstant(slotStored.data.parse(message.data).slot));
    }
    if (message.type === slotRemoved.key) freshness.changedInSlot();
    status.apply(message);
    const type = messagesByKey.get(message.type);
    if (type === undefined) return;
    const tags = type.tags(message.data);
    // Services that consume the fact over the bus too: their responses may be stale for a moment.
    if (type.purges === true) cache.purge(tags, type.consumers);
    else cache.invalidate(tags, type.consumers);
    if (isNewSlot) cache.refreshPresent();
  };

  return async (onFault) => {
    const from = position ?? (await reload());
    position = from;
    const reading = await bus.readLog({
      from,
      onReset: () => {
        // Resuming at the oldest fact would stream a week of old events as new.
        position = undefined;
        throw new Error('facts have left the log before they were read');
      },
      onEntry: (entry) => {
        try {
          apply(entry);
          stream.append(entry);
        } catch (error) {
          // A fact that fails twice is skipped by a reload.
          if (failedAt === entry.position) position = undefined;
          failedAt = entry.position;
          throw error;
        }
        position = entry.position;
      },
      onFault: (error) => {
        cache.setConnected(false);
        onFault(error);
      },
    });
    cache.setConnected(true);
    return reading;
  };
}
