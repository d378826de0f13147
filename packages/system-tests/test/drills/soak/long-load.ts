import { randomInt } from 'node:crypto';
import { engineFault } from '@lobbystats/test-kit/docker';
import { closeOnSignal } from '../../stack/close-on-signal.ts';
import { SkippedError, type SelfContainedDrill } from '../drill.ts';
import { openStack } from '../stages/stack-stage.ts';
import type { SoakOptions } from './soak-options.ts';
import { soak } from './soak.ts';

/** Ten times the default rate limit of all collectors. */
const PAGES_PER_SECOND = '200';
/** Default number of open matches per title. */
const MATCHES_PER_TITLE = 0.4;

export function longLoad({ seed: givenSeed, ...rest }: SoakOptions): SelfContainedDrill {
  return {
    number: 59,
    name: 'ten times the expected load, with random kills (soak)',
    on: 'its own',
    isAlone: true,
    run: async () => {
      if ((await engineFault()) !== undefined) throw new SkippedError('needs a Docker engine, and there is none here');
      const options = { ...rest, seed: givenSeed === 0 ? randomInt(1, 2 ** 31) : givenSeed };
      const { minutes, seed, rate, titles, collectors, gateways } = options;
      const network = { titles, openMatches: Math.round(titles * MATCHES_PER_TITLE) };
      const settings = { COLLECTOR_MAX_RPS: PAGES_PER_SECOND, BACKFILL_DAYS: '1', BACKFILL_LEADERBOARD_DAYS: '0' };
      const stage = await openStack({ settings, network, scale: { collector: collectors, gateway: gateways } });
      closeOnSignal(() => stage.close());
      try {
        process.stderr.write(`${minutes} minutes, ${rate} requests a second, ${titles} titles: --seed ${seed}\n`);
        return await soak(stage, options, network);
      } finally {
        await stage.close();
      }
    },
  };
}
