import { formatTimestamp, operations, SLOT_SECONDS } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import { expectSiteLikeTruth, truthOf } from '../../services/standalone/test/like-truth.ts';

interface Point {
  readonly recorded_at: string;
}

/** What became of each slot: `whole`, `partial` where pages could not be had and there is no sum, `missing`. */
export type SlotFates = ReadonlyMap<string, 'whole' | 'partial' | 'missing'>;

/** @throws Error where a slot is there twice, or other than the network had it */
export async function accountForSlots(url: string, world: World, from: number, to: number): Promise<SlotFates> {
  const times = new Set(await expectSiteLikeTruth(url, truthOf(world, from, to)));
  const { body } = await getJson<Point[]>(`${url}${operations.getLobbySeries.path}?days=30`);
  const whole = new Set(body.map(({ recorded_at }) => recorded_at));
  const fates = new Map<string, 'whole' | 'partial' | 'missing'>();
  for (let slot = from; slot <= to; slot += SLOT_SECONDS) {
    const time = formatTimestamp(slot);
    fates.set(time, whole.has(time) ? 'whole' : times.has(time) ? 'partial' : 'missing');
  }
  return fates;
}
