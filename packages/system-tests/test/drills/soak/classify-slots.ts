import { formatTimestamp, operations, SLOT_SECONDS } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import { expectSiteSeries, simulatedSlots } from '../../standalone/expect-series.ts';

interface Point {
  readonly recorded_at: string;
}

/** Outcome of each slot: `whole`, `partial` (without a lobby count because pages failed) or `missing`. */
export type SlotOutcomes = ReadonlyMap<string, 'whole' | 'partial' | 'missing'>;

/** @throws Error when a slot is duplicated or wrong */
export async function classifySlots(url: string, world: World, from: number, to: number): Promise<SlotOutcomes> {
  const times = new Set(await expectSiteSeries(url, simulatedSlots(world, from, to)));
  const { body } = await getJson<Point[]>(`${url}${operations.getLobbySeries.path}?days=30`);
  const whole = new Set(body.map(({ recorded_at }) => recorded_at));
  const fates = new Map<string, 'whole' | 'partial' | 'missing'>();
  for (let slot = from; slot <= to; slot += SLOT_SECONDS) {
    const time = formatTimestamp(slot);
    fates.set(time, whole.has(time) ? 'whole' : times.has(time) ? 'partial' : 'missing');
  }
  return fates;
}
