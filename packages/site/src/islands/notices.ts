import { isSame, type Target } from './browser-follows.ts';
import { NOTIFICATION_INTERVAL_SECONDS } from '@lobbystats/contracts/news';
import { isSitePath, readStored, store } from './stored.ts';

/** Something that has happened to what is followed. */
export interface News {
  /** Equal for all that becomes one notification. */
  readonly topic: string;
  /** The subject of the linked page. */
  readonly target: Target;
  readonly path: string;
  readonly title: string;
  readonly item: string;
  /** Default: 1. */
  readonly count?: number;
  /** There is one of its topic. */
  readonly isOnce?: boolean;
}

/** The notification of a topic, as all tabs show it. */
export interface StoredNotice extends Omit<News, 'isOnce'> {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Time of its last announcement, by the system and to screen readers: one in the interval. */
  readonly announcedAt: number;
  /** The reader has dismissed it, or has had its page before their eyes. */
  readonly isSeen: boolean;
}

const KEY = 'lobbystats-notices';
const NOTICES_MAX = 30;
export const AGE_MAX_MS = 3_600_000;
const INTERVAL_MS = NOTIFICATION_INTERVAL_SECONDS * 1000;
/** Event of the window after a change by this tab; other tabs get `storage`. */
const CHANGED = 'notices-changed';

/** Newest first, where the browser stores no more. */
let inMemory: readonly StoredNotice[] | undefined;

/** Notifications that the reader has not seen, newest first. */
export function unseen(): readonly StoredNotice[] {
  return all().filter(({ isSeen }) => !isSeen);
}

/**
 * Adds news to the notifications of their topics.
 *
 * @param isInView whether the reader has the page of a target before their eyes
 * @returns those to announce: not seen, and not announced within the interval
 */
export function addNews(
  news: readonly News[],
  isInView: (target: Target) => boolean,
  now: number,
): readonly StoredNotice[] {
  const announced: StoredNotice[] = [];
  for (const { isOnce = false, count: added = 1, ...one } of news) {
    const before = all().find(({ topic }) => topic === one.topic);
    if (isOnce && before !== undefined) continue;
    const isSeen = isInView(one.target);
    const announcedAt = before?.announcedAt ?? 0;
    const isAnnounced = !isSeen && now - announcedAt >= INTERVAL_MS;
    const count = (before?.isSeen === false ? before.count : 0) + added;
    const notice: StoredNotice = { ...one, count, at: now, isSeen, announcedAt: isAnnounced ? now : announcedAt };
    storeNotices([notice, ...all().filter(({ topic }) => topic !== one.topic)]);
    const earlier = announced.findIndex(({ topic }) => topic === one.topic);
    if (isAnnounced) announced.push(notice);
    else if (earlier >= 0) announced[earlier] = notice;
  }
  return announced;
}

/** Marks notifications as seen. Default: all. */
export function see(which: (notice: StoredNotice) => boolean = () => true): void {
  const before = all();
  if (!before.some((one) => !one.isSeen && which(one))) return;
  storeNotices(before.map((one) => (which(one) ? { ...one, isSeen: true } : one)));
}

export function forgetNotices(which: (notice: StoredNotice) => boolean): void {
  if (all().some(which)) storeNotices(all().filter((one) => !which(one)));
}

export function isAbout(target: Target): (notice: StoredNotice) => boolean {
  return (notice) => isSame(target)(notice.target);
}

export function onNoticesChanged(act: () => void): void {
  addEventListener(CHANGED, act);
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) act();
  });
}

/** Names the newest of several items. */
export function textOf({ item, count }: Pick<StoredNotice, 'item' | 'count'>): string {
  return count === 1 ? item : `${item}, and ${count - 1} more`;
}

function all(): readonly StoredNotice[] {
  const stored = inMemory ?? readStored(KEY);
  if (!Array.isArray(stored)) return [];
  const earliest = Date.now() - AGE_MAX_MS;
  return stored.filter(isStoredNotice).filter(({ at }) => at >= earliest);
}

function storeNotices(notices: readonly StoredNotice[]): void {
  const newest = notices.slice(0, NOTICES_MAX);
  inMemory = store(KEY, newest) ? undefined : newest;
  dispatchEvent(new Event(CHANGED));
}

/** Checks what is stored, which may be anything. */
function isStoredNotice(value: unknown): value is StoredNotice {
  if (typeof value !== 'object' || value === null) return false;
  const { topic, target, path, title, item, count, at, announcedAt, isSeen } = value as Record<string, unknown>;
  return (
    [topic, title, item].every((text) => typeof text === 'string') &&
    [count, at, announcedAt].every(Number.isFinite) &&
    typeof isSeen === 'boolean' &&
    typeof target === 'object' &&
    target !== null &&
    Object.values(target).every((text) => typeof text === 'string') &&
    'id' in target &&
    isSitePath(path)
  );
}
