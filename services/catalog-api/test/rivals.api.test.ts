import { formatTimestamp, operations, type OperationResponse } from '@lobbystats/contracts';
import { observeBoards, scores, seenAt, times, TITLE } from './board-passes.ts';
import { runCatalog, type RunningCatalog } from './running-catalog.ts';

const DAY = 24;

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
  await observeBoards(
    catalog,
    { entries: times([['Pike', 9000], ['Owl', 9500], ['Elk', 9900]]) }, // prettier-ignore
    { leaderboardId: 2, isTime: false, entries: scores([['Pike', '1,000'], ['Owl', '900']]) }, // prettier-ignore
    // Before the week.
    { hour: 1, entries: times([['Fox', 8000], ['Pike', 9000], ['Owl', 9500], ['Elk', 9900]]) }, // prettier-ignore
    { hour: 8 * DAY, entries: times([['Fox', 7000], ['Owl', 8500], ['Pike', 9000], ['Elk', 9800]]) }, // prettier-ignore
    { hour: 8 * DAY + 1, entries: times([['Fox', 7000], ['New', 8400], ['Owl', 8450], ['Pike', 9000], ['Elk', 9800]]) }, // prettier-ignore
    { leaderboardId: 2, isTime: false, hour: 8 * DAY + 2, entries: scores([['Owl', '1,200'], ['Pike', '1,000']]) }, // prettier-ignore
    // More changes than are read, on a leaderboard without the player.
    { leaderboardId: 3, hour: 8 * DAY + 3, entries: times([['Fox', 1000]]) },
    { leaderboardId: 3, hour: 8 * DAY + 4, entries: times(Array.from({ length: 600 }, (_, at) => [`Ant ${at}`, 1000 + at])) }, // prettier-ignore
  );
});
afterAll(() => catalog.stop());

async function rivalsOf(player: string, query = '') {
  const path = operations.listRivals.path.replace(':player', encodeURIComponent(player));
  const answer = await catalog.get(path + query);
  expect(answer.status).toBe(200);
  return (answer.body as OperationResponse<typeof operations.listRivals>).rivals;
}

describe('rivals of a player', () => {
  it('are those who were behind or not there a week ago, and are ahead now', async () => {
    const found = (await rivalsOf('PIKE')).map((rival) => [
      ...[rival.playerName, rival.leaderboardId, rival.timeFormatted || rival.rating, rival.passedAt],
      ...[rival.ownRank, rival.ownRating],
    ]);
    expect(found).toEqual([
      ['Owl', 2, '1,200', formatTimestamp(seenAt(8 * DAY + 2)), 2, '1,000'],
      ['New', 1, '0:08.400', formatTimestamp(seenAt(8 * DAY + 1)), 4, '0:09.000'],
      ['Owl', 1, '0:08.500', formatTimestamp(seenAt(8 * DAY)), 4, '0:09.000'],
    ]);
  });

  it('are at most as many as are asked for', async () => {
    expect(await rivalsOf('Pike', '?limit=1')).toMatchObject([{ playerName: 'Owl', leaderboardId: 2 }]);
  });

  it.each(['Fox', 'Nobody', '__proto__', '%00'])('can be none: %s', async (player) => {
    expect(await rivalsOf(player)).toEqual([]);
  });
});
