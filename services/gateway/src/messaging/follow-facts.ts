import { parseInstant, slotStored, titleStored } from '@lobbystats/contracts';
import type { LogEntry, MessageBus, Running } from '@lobbystats/message-bus';
import type { Freshness } from '../domain/freshness.ts';
import type { TitleDirectory, TitleList } from '../domain/title-directory.ts';

export interface FactFollower {
  bus: MessageBus;
  directory: TitleDirectory;
  freshness: Freshness;
  /** Every title as its owner has it now. */
  loadTitles: () => Promise<TitleList>;
}

/**
 * Fills the title directory and keeps it by the log of facts. The log's end is taken before the titles are read, so that
 * no fact falls between the two; one that is seen twice changes nothing.
 *
 * @param onFault called when it breaks off later
 */
export async function followFacts(
  { bus, directory, freshness, loadTitles }: FactFollower,
  onFault: (error: unknown) => void,
): Promise<Running> {
  const from = await bus.logEnd();
  const reload = async () => {
    directory.load(await loadTitles());
  };
  await reload();
  return bus.readLog({
    from,
    onReset: reload,
    onFault,
    onEntry: ({ message }: LogEntry) => {
      if (message.type === titleStored.key) {
        const { revision, titles } = titleStored.data.parse(message.data);
        directory.put(revision, titles);
      }
      if (message.type === slotStored.key && !message.past) {
        freshness.slotPublished(parseInstant(slotStored.data.parse(message.data).slot));
      }
    },
  });
}
