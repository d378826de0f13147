import type { Account } from './accounts.ts';

const MAX_SESSIONS = 10_000;

export interface Sessions {
  open(account: Account): string;
  find(sessionKey: string): Account | undefined;
  close(sessionKey: string): void;
}

export function createSessions(newKey: () => string): Sessions {
  const sessions = new Map<string, Account>();
  return {
    open(account) {
      const sessionKey = newKey();
      sessions.set(sessionKey, account);
      for (const oldest of sessions.keys()) {
        if (sessions.size <= MAX_SESSIONS) break;
        sessions.delete(oldest);
      }
      return sessionKey;
    },
    find: (sessionKey) => sessions.get(sessionKey),
    close: (sessionKey) => void sessions.delete(sessionKey),
  };
}
