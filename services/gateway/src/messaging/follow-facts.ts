import { parseInstant, slotStored, titleStored } from '@lobbystats/contracts';
import type { LogEntry, LogPosition, MessageBus, Running } from '@lobbystats/message-bus';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { Freshness } from '../domain/freshness.ts';
import type { StreamLog } from '../domain/stream/stream-log.ts';
import type { TitleDirectory, TitleList } from '../domain/title-directory.ts';
import type { BackfillStream } from './backfill-stream.ts';
import { touchedBy } from './touched-by.ts';

interface StreamSource {
  begin(log: StreamLog): void;
  entry(entry: LogEntry): void;
}

export interface FactFollower {
  bus: MessageBus;
  directory: TitleDirectory;
  freshness: Freshness;
  cache: ResponseCache;
  /** Parsed URLs: game names in them may change. */
  known: { clear(): void };
  stream: StreamSource;
  backfillStream: BackfillStream;
  loadTitles: () => Promise<TitleList>;
}

export type FollowFacts = (onFault: (error: unknown) => void) => Promise<Running>;

/**
 * Keeps the title directory, the cache and the stream current from the log of facts. The log's end is read before the
 * titles, so no fact is missed; duplicates have no effect. A restart resumes at the last position, or begins anew where
 * that is gone. The backlog is read after the titles, which its events name.
 */
export function factFollower(follower: FactFollower): FollowFacts {
  const { bus, directory, freshness, cache, known, stream, backfillStream, loadTitles } = follower;
  let position: LogPosition | undefined;
  let failedAt: LogPosition | undefined;

  const beginAnew = async (): Promise<LogPosition> => {
    const end = await bus.logEnd();
    directory.load(await loadTitles());
    known.clear();
    cache.outdateAll();
    stream.begin(await backfillStream(end));
    return end;
  };
  const take = ({ message }: LogEntry): void => {
    if (message.type === titleStored.key) {
      const { revision, titles } = titleStored.data.parse(message.data);
      directory.put(revision, titles);
      known.clear();
    }
    if (message.type === slotStored.key && !message.past) {
      freshness.slotPublished(parseInstant(slotStored.data.parse(message.data).slot));
    }
    const touched = touchedBy(message);
    if (touched.isToBeHidden) cache.drop(touched.tags, touched.learnedBy);
    else cache.outdate(touched.tags, touched.learnedBy);
  };

  return async (onFault) => {
    const from = position ?? (await beginAnew());
    position = from;
    const reading = await bus.readLog({
      from,
      onReset: () => {
        // Resuming at the oldest fact would stream a week of the past as news.
        position = undefined;
        throw new Error('facts have left the log before they were read');
      },
      onEntry: (entry) => {
        try {
          take(entry);
          stream.entry(entry);
        } catch (error) {
          // A fact that fails twice must not stop it for ever.
          if (failedAt === entry.position) position = undefined;
          failedAt = entry.position;
          throw error;
        }
        position = entry.position;
      },
      onFault: (error) => {
        cache.following(false);
        onFault(error);
      },
    });
    cache.following(true);
    return reading;
  };
}
