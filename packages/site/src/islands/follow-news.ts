import type { Timing } from './presence-news.ts';
import { readNews } from './news-stream.ts';
import { notifyBySystem } from './system-notices.ts';
import { watchNews } from './watch.ts';

let isWatching = false;

/** Notifies of what this browser follows without an account. */
export function notifyOfFollows(main: HTMLElement, timing: Timing): void {
  if (isWatching) return;
  isWatching = true;
  watchNews(main, { name: 'follows', read: (onNews) => readNews(timing, onNews), announce: notifyBySystem });
}
