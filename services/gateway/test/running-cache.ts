import { formatInstant } from '@lobbystats/contracts';
import { fixedClock, type FixedClock } from '@lobbystats/test-kit';
import { NEWEST } from './network.ts';
import { runGateway, type GatewayOptions, type Owner, type RunningGateway } from './running-gateway.ts';

/** What `Cache-Status` says of an answer that was kept and is true. */
export const HIT = 'lobbystats; hit';

/** A gateway that keeps answers, at a time of the test's own. */
export interface CachedGateway extends RunningGateway {
  clock: FixedClock;
}

export async function runCached({ env, ...rest }: GatewayOptions = {}): Promise<CachedGateway> {
  const clock = fixedClock(formatInstant(NEWEST + 40));
  const gateway = await runGateway({ ...rest, env: { CACHE_BYTES: '1000000', ...env }, overrides: { clock } });
  return { ...gateway, clock };
}

/** A fact's data. */
export const slot = (at: number) => ({ slot: formatInstant(at), online: 41, lobbies: 2 });
/** How often an owner was asked for a path. */
export const asked = ({ seen }: Owner, path: string) => seen.filter(({ url }) => url.split('?', 1)[0] === path).length;
export const statusOf = async (gateway: RunningGateway, path: string) =>
  (await gateway.ask(path)).headers['cache-status'];

/** What has been online: the owner knows it from now on. */
export function online(gateway: RunningGateway, count: number): void {
  gateway.known.online = [{ recorded_at: '2027-01-15 08:00:00', online_count: count }];
}
