import { operations } from '@lobbystats/contracts';
import { runUserApi } from './running-user-api.ts';

const NOBODY = { username: null, gamertag: null };
const pathFor = (player: string) => operations.getGamertagUser.path.replace(':player', encodeURIComponent(player));

describe('user of a gamertag', () => {
  it('is the account that the feed lists with it, in any spelling', async () => {
    const users = await runUserApi();
    await users.observe({ username: 'EmberFox', gamertag: 'Émber Fox' }, { username: 'Marlow', gamertag: '' });
    for (const player of ['Émber Fox', ' ÉMBER fox ', 'e\u0301mber fox']) {
      const { status, body } = await users.get(pathFor(player));
      expect([status, body]).toEqual([200, { username: 'EmberFox', gamertag: 'Émber Fox' }]);
    }
  });

  it('is the first by username of several', async () => {
    const users = await runUserApi();
    await users.observe({ username: 'Marlow', gamertag: 'Fox' }, { username: 'Adair', gamertag: 'fox' });
    expect((await users.get(pathFor('FOX'))).body).toEqual({ username: 'Adair', gamertag: 'fox' });
  });

  it('is not the account that has linked it, nor that of the same username', async () => {
    const users = await runUserApi();
    await users.observe({ username: 'EmberFox', gamertag: 'Ember Fox' });
    await users.send(operations.updateProfile.path, { linked_gamertag: 'Grey Owl' });
    for (const player of ['Grey Owl', 'EmberFox']) expect((await users.get(pathFor(player))).body).toEqual(NOBODY);
  });

  it('is nobody for an unknown one, and 404 for one that is too long', async () => {
    const users = await runUserApi();
    for (const player of ['__proto__', '$where', "' OR ''='", '<script>', '%', 'a\0b', '\u202e']) {
      expect([player, (await users.get(pathFor(player))).body]).toEqual([player, NOBODY]);
    }
    expect(await users.get(pathFor('x'.repeat(201)))).toMatchObject({ status: 404 });
  });
});
