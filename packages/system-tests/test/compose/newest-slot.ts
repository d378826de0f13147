import { formatTimestamp } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import { simulatedSlots } from '../standalone/expect-series.ts';
import { gatewayUrl, unhealthyServices } from './stack.ts';

export interface LobbyPoint {
  recorded_at: string;
  lobby_count: number;
}

const { world } = createSimulator();

/** The newest point of a site series. */
export async function newestPoint<Point>(path: string): Promise<Point | undefined> {
  const { body } = await getJson(`${gatewayUrl}${path}?days=1`);
  return (body as Point[]).at(-1);
}

/** Number of open matches in the simulator. */
export function simulatedLobbyCount(slot: number): number | undefined {
  const truth = simulatedSlots(world, slot, slot).get(formatTimestamp(slot));
  return truth?.titles.reduce((sum, { matches }) => sum + matches.length, 0);
}

/** @throws Error while a service is unhealthy */
export async function expectHealthy(): Promise<void> {
  const ill = await unhealthyServices();
  if (ill.length > 0) throw new Error(`not healthy: ${ill.join(', ')}`);
}
