import { formatTimestamp } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import { truthOf } from '../../services/standalone/test/like-truth.ts';
import { gateway, unhealthy } from './stack.ts';

export interface LobbyPoint {
  recorded_at: string;
  lobby_count: number;
}

const { world } = createSimulator();

/** The newest point of a site series. */
export async function newest<Point>(path: string): Promise<Point | undefined> {
  const { body } = await getJson(`${gateway}${path}?days=1`);
  return (body as Point[]).at(-1);
}

/** Open matches of the whole network, as the simulator knows them. */
export function lobbiesIn(slot: number): number | undefined {
  const truth = truthOf(world, slot, slot).get(formatTimestamp(slot));
  return truth?.titles.reduce((sum, { matches }) => sum + matches.length, 0);
}

/** @throws while a service isn't well */
export async function allHealthy(): Promise<void> {
  const ill = await unhealthy();
  if (ill.length > 0) throw new Error(`not healthy: ${ill.join(', ')}`);
}
