import { forgetAccountNotices, newsOfAccount } from './account-notices.ts';
import { apiOf } from './api.ts';
import type { Session } from './island.ts';
import type { News } from './notices.ts';
import { watchNews } from './watch.ts';

/** The account has channels for what must come sooner. */
const ASK_MS = 60_000;
/** A tab that takes over from one that has signed out learns of it before. */
const FIRST_MS = 1000;
/** Fewer than the browser remembers, so that none is shown again. */
const ASKED = 20;

let shownFor: string | null = null;
let end: (() => void) | undefined;

/** Notifies of what the account of the session follows, in the panel of readers without an account. */
export function notifyOfAccount(session: Session): void {
  const user = session.auth.getUsername();
  if (user === shownFor) return;
  end?.();
  if (shownFor !== null) forgetAccountNotices();
  shownFor = user;
  end = user === null ? undefined : watchNews(session.main, { name: 'account', read: readAccount(session) });
}

function readAccount(session: Session) {
  return (onNews: (news: readonly News[]) => void) => {
    let isEnded = false;
    const ask = async () => {
      const { notifications } = await apiOf(session).listNotifications({ limit: ASKED });
      if (!isEnded) onNews(newsOfAccount(notifications, Date.now()));
    };
    // The next one tries again.
    const tryToAsk = () => void ask().catch(() => undefined);
    const timer = setInterval(tryToAsk, ASK_MS);
    const first = setTimeout(tryToAsk, FIRST_MS);
    return () => {
      isEnded = true;
      clearInterval(timer);
      clearTimeout(first);
    };
  };
}
