import { allOperations, freshUntil, freshUntilOf, tags } from '../src/index.ts';

const sharedReads = allOperations.filter(
  ({ audience, method, session }) => audience === 'public' && method === 'GET' && session !== 'required',
);
const idsThatAreFreshUntil = (until: string) =>
  sharedReads.filter((operation) => freshUntilOf(operation) === until).map(({ id }) => id);

describe('how long responses are fresh', () => {
  it('is until the next slot, if they show counts, matches and titles alone', () => {
    expect(idsThatAreFreshUntil('slot').toSorted()).toEqual(
      [
        ...['getApiIndex', 'getApiVersion', 'getNow', 'getOnlineUsers', 'getOnlineSummary', 'getTitleOnlineHistory'],
        ...['getDailyRegistered', 'getDailyOnline', 'getNetworkRecords', 'getOnlineSeries', 'getLobbySeries'],
        ...['getGame', 'listGames', 'getRanking', 'compareGames', 'getActivity', 'getGameRecords'],
        ...['listLobbies', 'getMatches', 'getMatchHistory', 'getMatchStats', 'getDailyStats'],
      ].toSorted(),
    );
  });

  it('is until the next write, if users write them', () => {
    expect(idsThatAreFreshUntil('write').toSorted()).toEqual([
      'getGamesPlayed',
      'getLeaderboardScores',
      'getPlayTime',
      'getProfile',
      'getReputation',
      'getUserAchievements',
    ]);
  });

  it('is as long as for the tag that changes most freely', () => {
    expect(freshUntil([])).toBe('slot');
    expect(freshUntil([tags.slots, tags.title('4d530064')])).toBe('slot');
    expect(freshUntil([tags.slots, tags.boards('4d530064')])).toBe('fact');
    expect(freshUntil([tags.everyBoard, tags.user('slots')])).toBe('write');
  });
});
