import { OFFLINE_PAGE } from '../pages/offline/offline-path.ts';

/** The parts of a service worker that are used here: its types exclude those of pages. */
interface WorkerScope {
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
}

interface PushEvent extends Lasting {
  readonly data: { json(): unknown } | null;
}

interface NotificationEvent extends Lasting {
  readonly notification: Notification;
}

/** The message of a push, as the site sends it. */
interface PushMessage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  /** When it happened. */
  readonly at?: string;
}

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = globalThis as unknown as WorkerScope;
const CACHE = 'offline';

worker.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage().then(() => worker.skipWaiting()));
});

// Pages stay those of the site: only what fails is answered from the cache.
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => cachedOrError(OFFLINE_PAGE)));
  else if (request.destination === 'style') event.respondWith(fetch(request).catch(() => cachedOrError(request)));
});

// The tag of a repeated message is the same: it replaces the one that is shown.
worker.addEventListener('push', (event) => {
  const { id, title, text, url, at } = event.data?.json() as PushMessage;
  // Types of the DOM lack `timestamp`.
  const time = at === undefined ? {} : { timestamp: Date.parse(at) };
  const options = { body: text, tag: id, icon: '/apple-touch-icon.png', data: new URL(url).pathname, ...time };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage(new URL(String(event.notification.data), worker.location.href).href));
});

/** Shows a page in its tab, whatever its query, else in a new one. */
async function showPage(url: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((one) => one.url.replace(/[?#].*/, '') === url);
  await (tab === undefined ? worker.clients.openWindow(url) : tab.focus());
}

async function cachedOrError(request: Request | string): Promise<Response> {
  return (await caches.match(request)) ?? Response.error();
}

/** Keeps the page and its styles, whose names change with each release. */
async function keepOfflinePage(): Promise<void> {
  const response = await fetch(OFFLINE_PAGE, { cache: 'reload' });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const styles = [...(await response.clone().text()).matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  await cache.put(OFFLINE_PAGE, response);
  await cache.addAll(styles.map(([, path = '']) => path));
}
