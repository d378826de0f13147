import { links } from '../links.ts';
import { targetOf } from './browser-follows.ts';
import type { Timing } from './presence-news.ts';
import { readNews } from './news-stream.ts';
import { holdTarget, isHeld, readShownTargets, runInOneTab } from './shown-targets.ts';
import { notifyBySystem } from './system-notices.ts';
import { isAbout, see, addNews, type News } from './notices.ts';
import { showNotices } from './notice-panel.ts';

const LOCK = 'lobbystats-watch';
/** In sessionStorage: this tab has shown a page of the site before. */
const TAB = 'lobbystats-tab';
/** A slot brings many news at once: they are one batch. */
const BATCH_MS = 1000;

let isWatching = false;

/** Tells the reader what happens to what this browser follows, while a page is open. One tab reads the stream. */
export async function notifyOfFollows(main: HTMLElement, timing: Timing): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  // Notifications of before the site was opened are no news.
  if (isNewTab() && !(await isHeld(LOCK))) see();
  const shown = main.querySelector<HTMLElement>('[data-island="follow"]');
  const own = shown === null ? undefined : targetOf(shown);
  showNotices(main, links.following);
  if (own !== undefined) holdTarget(own, () => see(isAbout(own)));
  runInOneTab(LOCK, () => {
    let batch: News[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = async () => {
      timer = undefined;
      const news = batch;
      batch = [];
      await notifyBySystem(addNews(news, await readShownTargets(own), Date.now()));
    };
    const end = readNews(timing, (news) => {
      batch.push(...news);
      timer ??= setTimeout(() => void flush(), BATCH_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  });
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
