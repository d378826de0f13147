import { OFFLINE_PAGE } from '../pages/offline/offline-path.ts';

/** The parts of a service worker that are used here: its types exclude those of pages. */
interface WorkerScope {
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
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
