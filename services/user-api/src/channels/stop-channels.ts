import { usernameKey } from '@lobbystats/contracts';
import { initialCondition, STOP_NAME } from './channels.ts';
import type { ChannelStore } from './channel-store.ts';

/**
 * Stops all channels of a user, those to come, too, or lets them deliver again. What waits expires; a webhook that is
 * started again has to return a challenge.
 *
 * @returns `already`: nothing to change. `unknown`: there is no such user
 * @throws AppError `unavailable`
 */
export async function setStopped(
  store: ChannelStore,
  { username, isStopped, now }: { username: string; isStopped: boolean; now: number },
): Promise<'done' | 'already' | 'unknown'> {
  const userKey = usernameKey(username);
  if (!isStopped) return start(store, userKey);
  const mark = { id: `stopped ${userKey}`, userKey, name: STOP_NAME, kind: 'feed', sealed: '', receiver: '' } as const;
  const condition = { ...initialCondition('feed'), state: 'stopped' } as const;
  const outcome = await store.putChannel({ ...mark, createdAt: now, ...condition }, Infinity);
  if (outcome === 'unknown') return 'unknown';
  // After the mark, which nothing is added beside.
  for (const { id, kind } of await store.channelsOf(userKey)) {
    await store.putCondition(id, { ...initialCondition(kind), state: 'stopped' });
  }
  return outcome === 'stopped' ? 'already' : 'done';
}

async function start(store: ChannelStore, userKey: string): Promise<'done' | 'already'> {
  const isRemoved = await store.removeChannel(userKey, STOP_NAME);
  const stopped = (await store.channelsOf(userKey)).filter(({ state }) => state === 'stopped');
  for (const { id, kind } of stopped) await store.putCondition(id, initialCondition(kind));
  return isRemoved ? 'done' : 'already';
}
