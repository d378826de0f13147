import type { BodyOf } from '@lobbystats/client';
import { addNews, AGE_MAX_MS, forgetNotices, see, type News } from './notices.ts';

type Notification = BodyOf<'listNotifications'>['notifications'][number];

const TOPIC = 'account';

/** Notifications of an account that are news, the oldest first. */
export function newsOfAccount(all: readonly Notification[], now: number): News[] {
  const isNews = ({ at, expiresAt }: Notification) =>
    now - instantOf(at) < AGE_MAX_MS && (expiresAt === null || now < instantOf(expiresAt));
  return all.filter(isNews).toReversed().map(newsOf);
}

/** The reader has them before their eyes. */
export function seeNotifications(all: readonly Notification[]): void {
  addNews(newsOfAccount(all, Date.now()), () => true, Date.now());
  const topics = new Set(all.map(topicOf));
  see(({ topic }) => topics.has(topic));
}

/** The session has ended. */
export function forgetAccountNotices(): void {
  forgetNotices(({ topic }) => topic.startsWith(`${TOPIC} `));
}

function newsOf(notification: Notification): News {
  const { kind, target, url, title, text, count } = notification;
  const lines = text.split('\n');
  // The second line of one item tells when it happened.
  const item = count === 1 ? lines.join('. ') : (lines[0] ?? '');
  const path = new URL(url).pathname;
  return { topic: topicOf(notification), target: { kind, id: target }, path, title, item, count, isOnce: true };
}

function topicOf({ id }: Pick<Notification, 'id'>): string {
  return `${TOPIC} ${id}`;
}

/** Milliseconds since 1970. @param timestamp as in responses, UTC */
function instantOf(timestamp: string): number {
  return Date.parse(`${timestamp.replace(' ', 'T')}Z`);
}
