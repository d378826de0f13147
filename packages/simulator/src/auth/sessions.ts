import type { Account } from './accounts.ts';

/** So many sessions are open at a time; then the oldest one ends. */
const MOST_SESSIONS = 10_000;

/** Who is logged in. A session has no end of its own. */
export interface Sessions {
  /** Opens a session and returns its key. */
  open(account: Account): string;
  /** Whose session a key is. */
  find(sessionKey: string): Account | undefined;
  /** Ends a session; nothing happens where there is none. */
  close(sessionKey: string): void;
}

/** Sessions in memory. `newKey` makes a key that nobody can guess, another one each time. */
export function createSessions(newKey: () => string): Sessions {
  const sessions = new Map<string, Account>();
  return {
    open(account) {
      const sessionKey = newKey();
      sessions.set(sessionKey, account);
      for (const oldest of sessions.keys()) {
        if (sessions.size <= MOST_SESSIONS) break;
        sessions.delete(oldest);
      }
      return sessionKey;
    },
    find: (sessionKey) => sessions.get(sessionKey),
    close: (sessionKey) => void sessions.delete(sessionKey),
  };
}
