import { boardConfirmed, boardStored, formatInstant, formatTimestamp, operations } from '@lobbystats/contracts';
import { observeBoards, seenAt, times, TITLE } from './board-passes.ts';
import { catalogFixture, NOW, waitUntil, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

const { run } = catalogFixture();
const LATER = { hour: 1, entries: times([['Pike', 900]]) };
const DAY = 86_400;

let catalog: RunningCatalog;
beforeEach(async () => {
  catalog = await run();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
  catalog.clock.nowMs = (NOW + DAY) * 1000;
  await observeBoards(catalog, { entries: times([['Pike', 1000]]) });
});

describe('observed_at of a leaderboard', () => {
  it('observed_at is the time of the observation that changed the board', async () => {
    expect(await observedAt()).toBe(seenAt(0));
    await observeBoards(catalog, LATER);
    expect(await observedAt()).toBe(seenAt(1));
  });

  it('observed_at moves with a confirmation, which changes the ETag but not Last-Modified', async () => {
    const before = await board();
    await confirm({ seenAt: seenAt(1) });
    const after = await board();
    expect(after.body).toEqual({ ...(before.body as object), observed_at: formatTimestamp(seenAt(1)) });
    expect(after.headers.get('last-modified')).toBe(before.headers.get('last-modified'));
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('observed_at moves with an unchanged observation of a later pass', async () => {
    await observeBoards(catalog, { hour: 2, entries: times([['Pike', 1000]]) });
    expect(await observedAt()).toBe(seenAt(2));
  });

  it('observed_at stays when a confirmation is late or repeated', async () => {
    await confirm({ seenAt: seenAt(3) });
    await confirm({ seenAt: seenAt(2) }, { seenAt: seenAt(3) }, { seenAt: seenAt(3) }, { seenAt: seenAt(1) });
    expect(await observedAt()).toBe(seenAt(3));
    await observeBoards(catalog, LATER);
    await confirm({ seenAt: seenAt(0) });
    expect(await observedAt()).toBe(seenAt(3));
  });

  it('observed_at stays when the confirmed observation is not stored yet', async () => {
    await confirm({ hour: 1, seenAt: seenAt(2) });
    expect(await observedAt()).toBe(seenAt(0));
    await observeBoards(catalog, LATER);
    await confirm({ hour: 1, seenAt: seenAt(3) });
    expect(await observedAt()).toBe(seenAt(3));
  });

  it('observed_at stays when a confirmation is far in the future', async () => {
    await confirm({ seenAt: seenAt(3) }, { seenAt: NOW + 2 * DAY });
    expect(await observedAt()).toBe(seenAt(3));
  });

  it('observed_at is absent for a past day and present for today', async () => {
    expect((await board(`?at=${day(NOW)}`)).body).not.toHaveProperty('observed_at');
    expect((await board(`?at=${day(NOW + DAY)}`)).body).toMatchObject({ observed_at: formatTimestamp(seenAt(0)) });
  });
});

describe('confirmation of a board', () => {
  it('publishes no fact for a confirmation, so no cache is invalidated', async () => {
    await waitUntil(() => catalog.published(boardStored).length === 1);
    await confirm({ seenAt: seenAt(1) });
    await observeBoards(catalog, LATER);
    await waitUntil(() => catalog.published(boardStored).length > 1);
    expect(catalog.published(boardStored).map(({ data }) => data.boards)).toMatchObject([
      [{ version: 1 }],
      [{ version: 2 }],
    ]);
  });

  it('ignores a confirmation of an unknown board', async () => {
    await confirm({ leaderboardId: 99, seenAt: seenAt(1) });
    expect((await board('', 99)).status).toBe(404);
  });

  it('applies a late observation of another pass after a confirmation', async () => {
    await confirm({ seenAt: seenAt(5) });
    await observeBoards(catalog, LATER);
    expect((await board()).body).toMatchObject({ entries: [{ timeMs: 900 }], observed_at: formatTimestamp(seenAt(5)) });
  });
});

interface Confirmation {
  readonly leaderboardId?: number;
  /** The confirmed pass, in hours from {@link NOW}. */
  readonly hour?: number;
  readonly seenAt: number;
}

async function confirm(...confirmations: readonly Confirmation[]): Promise<void> {
  for (const { leaderboardId = 1, hour = 0, seenAt: at } of confirmations) {
    const data = { titleId: TITLE, leaderboardId, pass: formatInstant(NOW + hour * 3600), seenAt: formatInstant(at) };
    await catalog.bus.publish(boardConfirmed, data);
  }
  await waitUntil(async () => (await catalog.bus.depth('catalog-api')) === 0);
}

function board(query = '', leaderboardId = 1): Promise<ApiResponse> {
  const { path } = operations.getLeaderboard;
  return catalog.get(path.replace(':titleId', TITLE).replace(':leaderboardId', String(leaderboardId)) + query);
}

async function observedAt(): Promise<number> {
  const { observed_at: text } = (await board()).body as { observed_at: string };
  return Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
}

function day(instant: number): string {
  return formatInstant(instant).slice(0, 10);
}
