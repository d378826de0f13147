import { formatInstant } from '@lobbystats/contracts';
import { fixedClock, type FixedClock } from '@lobbystats/test-kit';
import { NEWEST } from './network.ts';
import { runGateway, type GatewayOptions, type StubUpstream, type RunningGateway } from './running-gateway.ts';

/** `Cache-Status` of a fresh cached response. */
export const HIT = 'lobbystats; hit';

/** A gateway with a response cache and a fixed clock. */
export interface CachedGateway extends RunningGateway {
  clock: FixedClock;
}

export async function runCached({ env, ...rest }: GatewayOptions = {}): Promise<CachedGateway> {
  const clock = fixedClock(formatInstant(NEWEST + 40));
  const gateway = await runGateway({ ...rest, env: { CACHE_BYTES: '1000000', ...env }, overrides: { clock } });
  return { ...gateway, clock };
}

/** Data of a slot.stored fact. */
export const slotData = (at: number) => ({ slot: formatInstant(at), online: 41, lobbies: 2 });
/** Number of upstream requests for a path. */
export const requestCount = ({ requests }: StubUpstream, path: string) =>
  requests.filter(({ url }) => url.split('?', 1)[0] === path).length;
export const cacheStatus = async (gateway: RunningGateway, path: string) =>
  (await gateway.request(path)).headers['cache-status'];

/** Sets the users online in the stub upstream. */
export function setOnline(gateway: RunningGateway, count: number): void {
  gateway.network.online = [{ recorded_at: '2027-01-15 08:00:00', online_count: count }];
}
