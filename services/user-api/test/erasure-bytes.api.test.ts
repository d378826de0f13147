import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { Secret } from '@lobbystats/service-kit';
import { eventually, stopAll, temporaryDirectory } from '@lobbystats/test-kit';
import { openUserModeration } from '../src/admin.ts';
import { ERASURE_KEY, runUserApi } from './running-user-api.ts';

const UPDATE = operations.updateProfile.path;

/** Returns the texts that occur in the files of a directory. */
function foundIn(directory: string, texts: readonly string[]): string[] {
  const bytes = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('');
  return texts.filter((text) => bytes.includes(text));
}

it('no file of the SQLite store contains data of an erased user after the service has stopped', async () => {
  const directory = temporaryDirectory('file');
  const url = `sqlite:${join(directory, 'users.sqlite')}`;
  const users = await runUserApi({ env: { DATABASE_URL: url } });
  const [bio, linked_gamertag] = ['A bio to be erased', 'ErasedTag'];
  const texts = [bio, linked_gamertag, 'An older bio'];
  await users.observe({ username: 'EmberFox' });
  await users.send(UPDATE, { bio: 'An older bio' });
  await users.send(UPDATE, { bio: bio + ' and more'.repeat(100), linked_gamertag });
  // Neighbours on the pages of the file.
  await Promise.all(
    Array.from({ length: 50 }, (_, i) => users.send(UPDATE, { bio: 'Here to stay. '.repeat(30) }, { as: `Other${i}` })),
  );
  expect(foundIn(directory, texts)).toEqual(texts);

  const moderation = await openUserModeration({
    url,
    origin: 'simulated',
    erasureKey: new Secret(ERASURE_KEY),
    clock: () => users.clock.nowMs,
  });
  expect(await moderation.eraseUser('EmberFox')).toBe('done');
  await moderation.close();
  // The next commit publishes the waiting fact, which contains the names.
  await users.send(UPDATE, { bio: 'Another' }, { as: 'Other1' });
  await eventually(async () => {
    expect((await users.get('/readyz')).body).toMatchObject({ outbox: { waiting: 0 } });
  });
  await stopAll();
  expect(foundIn(directory, ['Here to stay.'])).toHaveLength(1);
  expect(foundIn(directory, [...texts, 'EmberFox', 'emberfox', 'Ember Fox'])).toEqual([]);
});
