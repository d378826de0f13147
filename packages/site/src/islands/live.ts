import { UPDATE_TIMING } from '../update-timing.ts';
import { setNotice } from './notice.ts';
import { updatePage, type StaleReason } from './update-page.ts';

/** Time until a page is fetched again that was being refreshed; up to twice as long. */
const REFRESH_MS = 1000;
/** Time until a rejected stream is opened again, or a stale page fetched again; up to twice as long. */
const RETRY_MS = 30_000;

const NOTICES: Readonly<Record<StaleReason | 'unreachable', string>> = {
  refreshing: '',
  unavailable: 'This page may be out of date: newer data is unavailable at the moment.',
  unreachable: 'This page may be out of date: the site can not be reached.',
  gone: 'This page no longer exists. It is shown as it was last.',
};

/** Updates the page when its data has changed, while it is visible. */
export function followChanges(
  main: HTMLElement,
  prepare: (content: ParentNode) => void,
  onUpdated: () => Promise<void>,
): void {
  const url = main.dataset['stream'] ?? '';
  if (url === '') return;
  const updates = createUpdates(async () => {
    const reason = await updatePage(main, prepare);
    await onUpdated();
    return reason;
  });
  followStream(url, () => updates.schedule(UPDATE_TIMING.afterMs, UPDATE_TIMING.spreadMs));
  document.addEventListener('visibilitychange', () => {
    // Events may have been missed while it was hidden.
    if (!document.hidden) updates.schedule(0, 1000);
  });
  main.addEventListener('outdated', () => updates.run());
  // The browser shows an earlier page as it was when it was left.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type === 'back_forward') updates.run();
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) updates.run();
  });
  addEventListener('online', () => updates.schedule(0, UPDATE_TIMING.spreadMs));
}

/** Runs one update at a time, and again later after one that failed or got a stale page. */
function createUpdates(update: () => Promise<StaleReason | undefined>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  const schedule = (afterMs: number, spreadMs: number) => {
    timer ??= setTimeout(
      () => {
        // Events during an update schedule the next one.
        timer = undefined;
        running = running.then(runNow);
      },
      afterMs + Math.random() * spreadMs,
    );
  };
  const run = () => {
    clearTimeout(timer);
    timer = undefined;
    running = running.then(runNow);
  };
  const runNow = async () => {
    const reason = await update().catch(() => 'unreachable' as const);
    setNotice(reason === undefined ? '' : NOTICES[reason]);
    if (reason === 'refreshing') schedule(REFRESH_MS, REFRESH_MS);
    // A page that is gone may return: an event tells.
    else if (reason !== undefined && reason !== 'gone') schedule(RETRY_MS, RETRY_MS);
  };
  return { schedule, run };
}

/** Holds a connection only while the page is visible. */
function followStream(url: string, onEvent: () => void): void {
  const topics = new URLSearchParams(url.split('?')[1]).get('topics')?.split(',') ?? [];
  let stream: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const source = new EventSource(url);
    for (const name of [...topics, 'reset']) source.addEventListener(name, onEvent);
    source.addEventListener('error', () => {
      // The browser reopens a stream that breaks off, but not one that is rejected.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(follow, RETRY_MS * (1 + Math.random()));
    });
    return source;
  };
  const follow = () => {
    clearTimeout(retry);
    stream?.close();
    stream = document.hidden ? undefined : open();
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}
