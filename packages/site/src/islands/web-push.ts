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
    throw new Error('This browser can not subscribe to notifications at its push service.', { cause: error });
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

/** A name for the channel: the same browser replaces itself. */
export function browserName(userAgent = navigator.userAgent): string {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) => names.find(([form]) => form.test(userAgent))?.[1];
  return `${nameIn(BROWSERS) ?? 'Browser'} on ${nameIn(SYSTEMS) ?? 'this device'}`;
}
