import { parseInstant, slotStored, titleStored } from '@lobbystats/contracts';
import type { LogEntry, LogPosition, MessageBus, Running } from '@lobbystats/message-bus';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { Freshness } from '../domain/freshness.ts';
import type { StreamLog } from '../domain/stream/stream-log.ts';
import type { TitleDirectory, TitleList } from '../domain/title-directory.ts';
import type { BackfillStream } from './backfill-stream.ts';
import { touchedBy } from './touched-by.ts';

/** The stream, as the follower feeds it. */
interface StreamSource {
  /** The facts after this log come next. */
  begin(log: StreamLog): void;
  entry(entry: LogEntry): void;
}

export interface FactFollower {
  bus: MessageBus;
  directory: TitleDirectory;
  freshness: Freshness;
  cache: ResponseCache;
  /** URLs that have been understood: names in them may come to mean something else. */
  known: { clear(): void };
  stream: StreamSource;
  backfillStream: BackfillStream;
  /** Every title as its owner has it now. */
  loadTitles: () => Promise<TitleList>;
}

/** Follows the log of facts, once more each time it is called. */
export type FollowFacts = (onFault: (error: unknown) => void) => Promise<Running>;

/**
 * Fills the title directory and keeps it, the cache and the stream by the log of facts. The log's end is taken before the
 * titles are read, so that no fact falls between the two; one that is seen twice changes nothing. Whoever follows once more
 * goes on where it stopped: what came meanwhile is not missed. Where that can't be, all begins anew. The stream's backlog is
 * read after the titles, which its events name.
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
        // It would go on with the oldest fact that is kept: to the stream a week of the past would be news.
        position = undefined;
        throw new Error('facts have left the log before they were read');
      },
      onEntry: (entry) => {
        try {
          take(entry);
          stream.entry(entry);
        } catch (error) {
          // What can't be taken twice would stop it for ever.
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
