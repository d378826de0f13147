import { readStored, store } from './stored.ts';

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
    const { endpoint = '', keys = {} } = (
      await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
    ).toJSON();
    return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
  } catch (error) {
    throw new Error(
      'This browser can not receive notifications: its own push service does not answer, or is turned off.',
      { cause: error },
    );
  }
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

/** In the browser's storage: the name of its channel. */
const NAME = 'lobbystats-push-channel';

/** The name of this browser's channel, which it replaces; else one that no other channel has, such as another device. */
export function channelName(
  channels: readonly { readonly name: string; readonly kind: string }[],
  userAgent = navigator.userAgent,
): string {
  const own = readStored(NAME);
  const earlier = channels.find(({ name, kind }) => name === own && kind === 'webpush');
  if (earlier !== undefined) return earlier.name;
  const nameIn = (names: readonly (readonly [RegExp, string])[]) => names.find(([form]) => form.test(userAgent))?.[1];
  const plain = `${nameIn(BROWSERS) ?? 'Browser'} on ${nameIn(SYSTEMS) ?? 'this device'}`;
  const isFree = (name: string) => channels.every((one) => one.name !== name);
  let name = plain;
  for (let number = 2; !isFree(name); number += 1) name = `${plain} (${number})`;
  return name;
}

export function keepChannelName(name: string): void {
  store(NAME, name);
}
