import { formatInstant, playersObserved, PLAYERS_PER_MESSAGE, SLOT_SECONDS, operations } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import { createSimulator, type World } from '@lobbystats/simulator';
import { userApi } from '@lobbystats/user-api';
import { readDefinitionsFile } from '@lobbystats/user-api/definitions.file';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../benchmark.ts';
import { storeUsers } from '../store-users.ts';
import { userStoreFixtures } from '../user-store-fixtures.ts';
import { cpuOf, ownCpuMs } from './cost.ts';
import type { Part } from './part.ts';
import { readCosts } from './read-costs.ts';
import { networkOf } from './scale.ts';

const SLOTS = 4;
const POLL_MS = 20;

/** user-api: polls of the players who are online, beside all stored users, and reads. */
export const usersPart: Part = {
  forms: ['standalone', 'distributed'],
  run: async ({ scale, form, stack, measure }) => {
    const open = userStoreFixtures(() => undefined)[form === 'standalone' ? 0 : 1];
    if (open === undefined) throw new Error('no MongoDB is configured');
    const fixture = await open();
    stack.defer(() => fixture.remove());
    const { store } = fixture;
    const config = userApi.readConfig({ PORT: '0', METRICS_PORT: '0', ERASURE_KEY: 'sixteen characters' });
    const definitions = await readDefinitionsFile(config.ACHIEVEMENTS_FILE);
    const keys = await storeUsers(store, scale.players, definitions);
    const { world } = createSimulator(networkOf(scale));
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    stack.defer(() => bus.close());
    const service = await userApi.create(config, { bus, store, logger: silentLogger() });
    stack.defer(() => service.stop());
    await service.start();

    const newest = Math.floor(Date.now() / 1000 / SLOT_SECONDS) * SLOT_SECONDS;
    const spent: number[] = [];
    let online = 0;
    for (let slot = newest - SLOTS * SLOT_SECONDS; slot < newest; slot += SLOT_SECONDS) {
      const players = playersOf(world, slot);
      online = players.length;
      const ms = await cpuOf(async () => {
        for (let first = 0; first < players.length; first += PLAYERS_PER_MESSAGE) {
          const some = players.slice(first, first + PLAYERS_PER_MESSAGE);
          // The limit of new users does not apply to the past.
          const data = { seenAt: formatInstant(slot), players: some };
          await bus.publish(playersObserved, data, { past: spent.length === 0 });
        }
        while ((await bus.depth('user-api')) > 0) await wait(POLL_MS);
      }, ownCpuMs);
      spent.push(ms);
    }
    // The first poll adds most users.
    measure('a poll of the players online', {
      unit: 'CPU ms',
      amount: median(spent.slice(1)),
      per: { what: 'online', count: online },
    });
    const costs = readCosts(stack, { port: Number(new URL(service.url()).port), measure });
    const some = Array.from({ length: 50 }, (_, index) => encodeURIComponent(keys[(index * 7919) % keys.length] ?? ''));
    await costs.read(
      'a profile',
      some.map((key) => operations.getUserProfile.path.replace(':username', key)),
    );
    await costs.read('the achievement leaderboard', [operations.getAchievementLeaderboard.path]);
    await costs.read('the newest unlocks', [operations.listRecentUnlocks.path]);
  },
};

function playersOf(world: World, slot: number) {
  return world.onlineAt(slot).map(({ player, title }) => {
    const { username, gamertag, verified } = world.userOf(player);
    const about = { titleId: title?.titleId ?? null, game: title?.name ?? null, lastSeenAt: formatInstant(slot) };
    return { username, gamertag, verified, isOnline: true, ...about };
  });
}
