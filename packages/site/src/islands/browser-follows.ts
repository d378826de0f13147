import { followKinds, type FollowKind } from '@lobbystats/contracts/news';
import { forget, readStored, store } from './stored.ts';

/** A subject that can be followed: IDs as the API has them. */
export interface Target {
  readonly kind: FollowKind;
  readonly id: string;
}

const KEY = 'lobbystats-follows';
/** Maximum that one browser follows. */
const FOLLOWS_MAX = 50;
/** Maximum of an ID, in UTF-16 units. */
const ID_LENGTH_MAX = 400;
/** An event of the window after a change by this tab; other tabs get `storage`. */
const CHANGED = 'follows-changed';

/** Returns what is followed without an account, newest first. It stays in this browser. */
export function browserFollows(): readonly Target[] {
  const stored = readStored(KEY);
  if (!Array.isArray(stored)) return [];
  const targets = stored.filter(isTarget).map(({ kind, id }) => ({ kind, id }));
  return targets.filter((target, index) => targets.findIndex(isSame(target)) === index).slice(0, FOLLOWS_MAX);
}

export function isFollowing(): boolean {
  return readStored(KEY) !== undefined;
}

/** @throws Error whose message tells the reader why it is not followed */
export function followInBrowser(target: Target): void {
  const others = browserFollows().filter((one) => !isSame(target)(one));
  if (others.length >= FOLLOWS_MAX) {
    throw new Error(`Without an account you can follow ${FOLLOWS_MAX}. Sign in, or stop following something.`);
  }
  if (!store(KEY, [target, ...others])) {
    throw new Error('This browser stores nothing for this site. Sign in to follow.');
  }
  dispatchEvent(new Event(CHANGED));
}

export function unfollowInBrowser(target: Target): void {
  const others = browserFollows().filter((one) => !isSame(target)(one));
  if (others.length === 0) forget(KEY);
  else store(KEY, others);
  dispatchEvent(new Event(CHANGED));
}

/** Runs a function after each change, by any tab. */
export function onFollowsChanged(act: () => void): void {
  addEventListener(CHANGED, act);
  addEventListener('storage', ({ key }) => {
    // Null: all of the storage is cleared.
    if (key === KEY || key === null) act();
  });
}

/** Whether another target is the same one: names in any case. */
export function isSame(target: Target): (other: Target) => boolean {
  return (other) => keyOfTarget(other) === keyOfTarget(target);
}

/** Equal for the same target. */
export function keyOfTarget({ kind, id }: Target): string {
  return `${kind} ${id.normalize().trim().toLowerCase()}`;
}

/** The subject of the page with this button. */
export function targetOf({ dataset }: HTMLElement): Target {
  return { kind: dataset['kind'] as Target['kind'], id: dataset['id'] ?? '' };
}

function isTarget(value: unknown): value is Target {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id } = value as Record<string, unknown>;
  return followKinds.some((one) => one === kind) && typeof id === 'string' && id !== '' && id.length <= ID_LENGTH_MAX;
}
