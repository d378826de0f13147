import type { FollowStore } from '../following/follow-store.ts';
import type { SealedBox } from './sealed-box.ts';

/** The key pair that identifies the site at push services (RFC 8292), both in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const NAME = 'vapid';

/**
 * Reads the stored key pair. Without one, or with one of another secret, creates it: subscriptions of the old one end.
 *
 * @throws AppError `unavailable`
 */
export async function readVapidKeys(
  store: Pick<FollowStore, 'state' | 'record'>,
  box: SealedBox,
  create: () => VapidKeys,
): Promise<VapidKeys> {
  for (;;) {
    const state = await store.state(NAME);
    const text = box.open(state.value, NAME);
    if (text !== undefined) return JSON.parse(text) as VapidKeys;
    const keys = create();
    if (await store.record([], { ...state, value: box.seal(JSON.stringify(keys), NAME) })) return keys;
  }
}
