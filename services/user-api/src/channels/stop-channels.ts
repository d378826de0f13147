import { usernameKey } from '@lobbystats/contracts';
import { initialCondition } from './channels.ts';
import type { ChannelStore } from './channel-store.ts';

/**
 * Stops channels of a user, which their owner can not start, or lets them deliver again. What waits for a stopped one
 * expires; a webhook that is started again has to return a challenge.
 *
 * @param name of one channel; default: all of the user
 * @returns `already`: nothing to change. `unknown`: the user has no such channel
 * @throws AppError `unavailable`
 */
export async function setStopped(
  store: ChannelStore,
  { username, name, isStopped }: { username: string; name: string | undefined; isStopped: boolean },
): Promise<'done' | 'already' | 'unknown'> {
  const all = await store.channelsOf(usernameKey(username));
  const chosen = all.filter((channel) => name === undefined || channel.name === name);
  if (chosen.length === 0) return 'unknown';
  const others = chosen.filter(({ state }) => (state === 'stopped') !== isStopped);
  for (const { id, kind } of others) {
    const condition = initialCondition(kind);
    await store.putCondition(id, isStopped ? { ...condition, state: 'stopped' } : condition);
  }
  return others.length > 0 ? 'done' : 'already';
}
