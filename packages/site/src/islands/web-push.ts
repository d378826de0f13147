import { apiOf } from './api.ts';
import type { Session } from './island.ts';
import { forget, readStored, store } from './stored.ts';

/** Whether this browser can get notifications while no page is open. Only a secure address can. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
}

interface Subscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** @throws Error whose message tells the reader why there is none */
export async function subscribe(applicationServerKey: string): Promise<Subscription> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('This browser does not allow notifications of this site.');
  }
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    // One of an earlier key of the site would be refused.
    await (await pushManager.getSubscription())?.unsubscribe();
    return subscriptionOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  } catch (error) {
    throw new Error(
      'This browser can not receive notifications: its own push service does not answer, or is turned off.',
      { cause: error },
    );
  }
}

function subscriptionOf(subscription: PushSubscription): Subscription {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** In the browser's storage: its channel. */
const OWN = 'lobbystats-push-channel';

interface OwnChannel {
  readonly name: string;
  readonly endpoint: string;
}

function ownChannel(): OwnChannel | undefined {
  const stored = readStored(OWN) as Partial<OwnChannel> | undefined;
  const { name, endpoint } = stored ?? {};
  return typeof name === 'string' && typeof endpoint === 'string' ? { name, endpoint } : undefined;
}

/** The name of this browser's channel, which it replaces; else one that no other channel has, such as another device. */
export function channelName(
  channels: readonly { readonly name: string; readonly kind: string }[],
  userAgent = navigator.userAgent,
): string {
  const own = ownChannel()?.name;
  const earlier = channels.find(({ name, kind }) => name === own && kind === 'webpush');
  if (earlier !== undefined) return earlier.name;
  const nameIn = (names: readonly (readonly [RegExp, string])[]) => names.find(([form]) => form.test(userAgent))?.[1];
  const plain = `${nameIn(BROWSERS) ?? 'Browser'} on ${nameIn(SYSTEMS) ?? 'this device'}`;
  const isFree = (name: string) => channels.every((one) => one.name !== name);
  let name = plain;
  for (let number = 2; !isFree(name); number += 1) name = `${plain} (${number})`;
  return name;
}

/** Adds the channel of this browser, or replaces its subscription. */
export async function addOwnChannel(session: Session, name: string, subscription: Subscription): Promise<void> {
  await apiOf(session).addChannel({ body: { kind: 'webpush', name, subscription } });
  store(OWN, { name, endpoint: subscription.endpoint } satisfies OwnChannel);
}

/** Tells the site the subscription of this browser if it is another one now: push services replace them. */
export async function renewSubscription(session: Session): Promise<void> {
  const own = ownChannel();
  if (own === undefined || !session.auth.isLoggedIn() || !canPush()) return;
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (subscription === null || subscription.endpoint === own.endpoint) return;
  const { channels } = await apiOf(session).listChannels();
  const isThere = channels.some(({ name, kind }) => name === own.name && kind === 'webpush');
  if (isThere) await addOwnChannel(session, own.name, subscriptionOf(subscription));
}

/** Waits no longer for the site: the reader signs out after it. */
const REMOVAL_MS = 3000;

/** Removes the channel of this browser, whose next reader may be another one. Never rejects. */
export async function removeOwnChannel(session: Session): Promise<void> {
  const own = ownChannel();
  if (own === undefined) return;
  forget(OWN);
  const unsubscribed = navigator.serviceWorker
    .getRegistration()
    .then((registration) => registration?.pushManager.getSubscription())
    .then((subscription) => subscription?.unsubscribe());
  const removed = apiOf(session).removeChannel({ channel: own.name }, { signal: AbortSignal.timeout(REMOVAL_MS) });
  await Promise.allSettled([unsubscribed, removed]);
}
