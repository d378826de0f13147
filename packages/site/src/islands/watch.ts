import { links } from '../links.ts';
import { targetOf, type Target } from './browser-follows.ts';
import { holdTarget, isHeld, readShownTargets, runInOneTab } from './shown-targets.ts';
import { addNews, isAbout, see, type News, type StoredNotice } from './notices.ts';
import { showNotices } from './notice-panel.ts';

const LOCKS = 'lobbystats-watch';
/** In sessionStorage: this tab has shown a page of the site before. */
const TAB = 'lobbystats-tab';
/** A slot brings many news at once: they are one batch. */
const BATCH_MS = 1000;

interface NewsSource {
  /** Equal in all tabs. */
  readonly name: string;
  /** Returns what ends it. */
  readonly read: (onNews: (news: readonly News[]) => void) => () => void;
  /** Tells the reader of new ones beside the panel, where it has no channels. */
  readonly announce?: (notices: readonly StoredNotice[]) => Promise<void>;
}

let prepared: Promise<Target | undefined> | undefined;

/** Shows what a source tells, while a page is open. One tab reads it. @returns what ends it */
export function watchNews(main: HTMLElement, { name, read, announce }: NewsSource): () => void {
  prepared ??= showPanel(main);
  return runInOneTab(`${LOCKS} ${name}`, () => {
    let batch: News[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = async () => {
      timer = undefined;
      const news = batch;
      batch = [];
      const notices = addNews(news, await readShownTargets(await prepared), Date.now());
      await announce?.(notices);
    };
    const end = read((news) => {
      batch.push(...news);
      timer ??= setTimeout(() => void flush(), BATCH_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  });
}

/** Returns what the page shows. */
async function showPanel(main: HTMLElement): Promise<Target | undefined> {
  // Notifications of before the site was opened are no news.
  if (isNewTab() && !(await isHeld(LOCKS))) see();
  const shown = main.querySelector<HTMLElement>('[data-island="follow"]');
  const own = shown === null ? undefined : targetOf(shown);
  showNotices(main, links.following);
  if (own !== undefined) holdTarget(own, () => see(isAbout(own)));
  return own;
}

function isNewTab(): boolean {
  try {
    const isNew = sessionStorage.getItem(TAB) === null;
    sessionStorage.setItem(TAB, '');
    return isNew;
  } catch {
    return true;
  }
}
