import type { LogEntry, MessageBus } from '@lobbystats/message-bus';
import type { FactHistory } from '../domain/stream/fact-history.ts';

/** How long reading for those who come back may take, in milliseconds: they wait for it. */
const DEADLINE_MS = 10_000;

/** The log of facts as the bus has it, each time with a reader of its own. */
export function logHistory(bus: MessageBus, deadlineMs = DEADLINE_MS): FactHistory {
  return {
    read: async (from, take) => {
      const over = Promise.withResolvers<boolean>();
      let isOver = false;
      const finish = (isRead: boolean) => {
        isOver = true;
        over.resolve(isRead);
      };
      const deadline = setTimeout(() => finish(false), deadlineMs).unref();
      try {
        const reader = await bus.readLog({
          from,
          onEntry: (entry: LogEntry) => {
            if (!isOver && !take(entry)) finish(true);
          },
          onReset: () => finish(false),
          onFault: () => finish(false),
        });
        const isRead = await over.promise;
        await reader.stop();
        return isRead;
      } catch {
        // The bus is closed, or can't be reached: whoever waits for it is told that something may have been missed.
        return false;
      } finally {
        clearTimeout(deadline);
      }
    },
  };
}
