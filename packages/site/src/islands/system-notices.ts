import { readStored, store, forget } from './stored.ts';
import { textOf, type StoredNotice } from './notices.ts';

const KEY = 'lobbystats-system-notices';

/** Whether this browser can show notifications of the system. Only a secure address can. */
export function canNotify(): boolean {
  return 'serviceWorker' in navigator && 'Notification' in globalThis;
}

/** The reader has asked for them. */
export function isNotifying(): boolean {
  return canNotify() && Notification.permission === 'granted' && readStored(KEY) === true;
}

/** Asks the browser: call it after a click alone. @throws Error whose message tells the reader why not */
export async function startNotifying(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('This browser does not allow notifications of this site.');
  }
  if (!store(KEY, true)) throw new Error('This browser stores nothing for this site.');
}

export function stopNotifying(): void {
  forget(KEY);
}

/** Shows them by the service worker, which opens their page. One of the same topic is replaced. */
export async function notifyBySystem(notices: readonly StoredNotice[]): Promise<void> {
  if (!isNotifying()) return;
  const registration = await navigator.serviceWorker.ready;
  for (const one of notices) {
    const { topic, title, path } = one;
    // Types of the DOM lack `renotify`: a replaced notification is announced again.
    const options = { body: textOf(one), tag: topic, renotify: true, icon: '/apple-touch-icon.png', data: path };
    await registration.showNotification(title, options);
  }
}
