import { OFFLINE_PAGE } from '../pages/offline/offline-path.ts';

/** The parts of a service worker that are used here: its types exclude those of pages. */
interface WorkerScope {
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionEvent) => void): void;
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
  postMessage(message: string): void;
}

interface PushEvent extends Lasting {
  readonly data: { json(): unknown } | null;
}

interface SubscriptionEvent extends Lasting {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
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

interface FetchEvent extends Lasting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = globalThis as unknown as WorkerScope;
const CACHE = 'offline';
/** Copies of the pages seen last. */
const PAGES = 'pages';
const PAGES_MAX = 30;

worker.addEventListener('install', (event) => {
  event.waitUntil(keepFirstPages().then(() => worker.skipWaiting()));
});

// Pages stay those of the site: only what can't be loaded is answered from the cache.
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(navigate(event));
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

// Without a session, which pages alone have: those that are open tell the site, else the next one that opens does.
worker.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage(new URL(String(event.notification.data), worker.location.href).href));
});

async function subscribeAgain({ oldSubscription, newSubscription }: SubscriptionEvent): Promise<void> {
  const applicationServerKey = oldSubscription?.options.applicationServerKey ?? null;
  if (!newSubscription && applicationServerKey !== null) {
    await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  }
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const tab of tabs) tab.postMessage('subscription');
}

/** Shows a page in its tab, whatever its query, else in a new one. */
async function showPage(url: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((one) => one.url.replace(/[?#].*/, '') === url);
  await (tab === undefined ? worker.clients.openWindow(url) : tab.focus());
}

async function navigate(event: FetchEvent): Promise<Response> {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(keepPage(request.url, response.clone()));
    return response;
  } catch {
    return (await copyOf(request.url)) ?? cachedOrError(OFFLINE_PAGE);
  }
}

/** Pages are the same for all readers: a copy has nothing of a session. */
async function keepPage(url: string, response: Response): Promise<void> {
  const { headers } = response;
  // A page with a part that was unavailable is not stored anywhere.
  const isWhole = headers.get('Cache-Control')?.includes('no-store') !== true;
  if (!isWhole || headers.get('Content-Type')?.startsWith('text/html') !== true) return;
  const cache = await caches.open(PAGES);
  // A page that is seen again becomes the newest one.
  await cache.delete(url);
  await cache.put(url, response);
  const stored = await cache.keys();
  await Promise.all(stored.slice(0, -PAGES_MAX).map((oldest) => cache.delete(oldest)));
}

/** The page as it was seen last. Its script says so, by the time in the document. */
async function copyOf(url: string): Promise<Response | undefined> {
  const stored = await (await caches.open(PAGES)).match(url);
  if (stored === undefined) return undefined;
  const date = stored.headers.get('Date') ?? '';
  const text = (await stored.text()).replace('<html', `<html data-offline="${date.replace(/[^\w :,]/g, '')}"`);
  return new Response(text, { headers: { 'Content-Type': 'text/html; charset=utf-8', ...policyOf(stored) } });
}

function policyOf({ headers }: Response): Record<string, string> {
  const policy = headers.get('Content-Security-Policy');
  return policy === null ? {} : { 'Content-Security-Policy': policy };
}

async function cachedOrError(request: Request | string): Promise<Response> {
  return (await caches.match(request)) ?? Response.error();
}

/** Keeps the offline page, and the open ones, which were loaded before there was a worker. */
async function keepFirstPages(): Promise<void> {
  await Promise.all([caches.delete(PAGES), keepOfflinePage()]);
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  await Promise.allSettled(tabs.map(async ({ url }) => keepPage(url, await fetch(url))));
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
