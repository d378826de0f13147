import { operations, slotWithdrawn } from '@lobbystats/contracts';
import { cleanUp, eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { run } from '../../testing/run-captured.ts';
import { NOW, seedStandalone, startServices } from '../operator/seed-standalone.ts';
import { readStore } from '../../src/operator/standalone/standalone-stores.ts';
import { openSqliteStore } from '@lobbystats/service-kit/sqlite';
import { collectorMigrations } from '@lobbystats/collector/admin';

const HARBOR = '4d530064';
const RALLY = '4d530065';

async function seeded(): Promise<{ directory: string; env: { DATA_DIR: string } }> {
  const directory = temporaryDirectory();
  await seedStandalone(directory);
  const settings = { url: `sqlite:${directory}/collector.sqlite`, name: 'collector', origin: 'simulated' } as const;
  const collector = openSqliteStore({ ...settings, migrations: collectorMigrations, durability: 'normal' });
  const put = 'INSERT INTO title (title_id, since, seen_at) VALUES (?, ?, ?)';
  collector.run(put, HARBOR, null, NOW);
  collector.run(put, RALLY, NOW, NOW);
  collector.close();
  return { directory, env: { DATA_DIR: directory } };
}

const day = new Date(NOW * 1000).toISOString().slice(0, 10);

describe('npx lobbystats titles', () => {
  it('lists what would be removed, and changes nothing', async () => {
    const { env } = await seeded();
    const listed = await run(['titles', '--since', day], env);
    expect(listed).toMatchObject({ code: 0, error: '' });
    expect(listed.out).toMatch(
      new RegExp(`^${RALLY} "Rally = Sand": \\d+ leaderboards, \\d+ changes\n1 titles would be removed`),
    );
    expect((await run(['titles', '--since', day], env)).out).toBe(listed.out);
    const named = await run(['titles', HARBOR.toUpperCase()], env);
    expect(named.out).toMatch(new RegExp(`^${HARBOR} .*: [1-9]\\d* leaderboards, [1-9]\\d* changes\n1 titles would`));
  });

  it('has the collector remove titles with their leaderboards, changes and series, and no others', async () => {
    const { directory, env } = await seeded();
    const services = await startServices({ DIRECTORY: directory });
    cleanUp(() => services.stop());
    const removed = await run(['titles', HARBOR, '--remove'], env);
    expect(removed).toMatchObject({ code: 0, error: '', out: expect.stringContaining('1 titles are removed within') });
    const message = await readStore(`${directory}/collector.sqlite`, (db) =>
      String(db.prepare('SELECT message FROM withdrawal').get()?.['message']),
    );
    await services.bus.publish(slotWithdrawn, slotWithdrawn.data.parse(JSON.parse(message)));
    await eventually(async () => {
      const games = (await services.ask('catalog', operations.listGames.path)) as { games: { titleId: string }[] };
      expect(games.games.map(({ titleId }) => titleId)).toEqual([RALLY]);
      expect((await run(['titles', HARBOR], env)).out).toContain(`${HARBOR} "": 0 leaderboards, 0 changes`);
      expect(await services.ask('catalog', operations.listChanges.path)).toMatchObject({ total: 0, changes: [] });
    });
    const history = operations.getTitleOnlineHistory.path.replace(':titleId', RALLY);
    expect(JSON.stringify(await services.ask('series', history))).toContain('recorded_at');
  });

  it.each([
    [[], 'name titles by ID, or give --since'],
    [['nonsense'], '"nonsense" is not a title ID'],
    [['--since', 'yesterday'], '"yesterday" is not a day or time'],
  ])('rejects %j', async (args, error) => {
    expect(await run(['titles', ...args], { DATA_DIR: temporaryDirectory() })).toMatchObject({
      code: 2,
      error: expect.stringContaining(error),
    });
  });

  it('creates no store where there is none', async () => {
    const result = await run(['titles', HARBOR], { DATA_DIR: temporaryDirectory() });
    expect(result).toMatchObject({ code: 1, error: expect.stringContaining('there is no store') });
  });
});
