import { profileUpdated } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { readPage } from './page-text.ts';
import { runCached } from './running-cache.ts';
import { UNREACHABLE_URL } from './running-gateway.ts';
import { FOX, testUser } from './user-responses.ts';

import { pageOf, runWorld } from './player-world.ts';
describe('page of a player while an upstream is down', () => {
  it.each([
    ['CATALOG_API_URL', '#ranks .unavailable', '#play-time tbody'],
    ['REPUTATION_API_URL', '#ratings .unavailable', '#ranks tbody'],
  ])('%s: has the other parts', async (name, unavailable, shown) => {
    const page = await readPage(await runWorld({ env: { [name]: UNREACHABLE_URL } }), pageOf(FOX));
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect([page.texts(unavailable).length, page.texts(shown).length]).toEqual([1, 1]);
  });

  it('has the leaderboards of a name while accounts are unavailable', async () => {
    const gateway = await runWorld({ env: { USER_API_URL: UNREACHABLE_URL } });
    const page = await readPage(gateway, pageOf(FOX));
    expect([page.status, page.text('.lead'), page.texts('#ranks tbody tr').length]).toEqual([
      200,
      'Accounts are unavailable at the moment',
      2,
    ]);
    expect((await readPage(gateway, pageOf('unknown'))).status).toBe(503);
  });
});

describe('cached page of a player', () => {
  it('is refreshed after a change of the profile', async () => {
    const gateway = await runCached();
    await readPage(gateway, pageOf(FOX));
    const again = await readPage(gateway, pageOf(FOX.toLowerCase()));
    expect(again.headers['cache-status']).toContain('hit');
    gateway.network.user = testUser({ linkedGamertag: 'Fox/64' });
    await gateway.bus.publish(profileUpdated, { username: FOX });
    await eventually(async () => {
      expect((await readPage(gateway, pageOf(FOX))).texts('#profile dd')).toContain('Fox/64');
    });
  });
});
