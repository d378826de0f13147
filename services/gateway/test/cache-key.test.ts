import { allOperations, operations, type Operation } from '@lobbystats/contracts';
import fc from 'fast-check';
import { cacheRule, canonicalQuery } from '../src/operations/parse-request.routes.ts';

const publicReads = allOperations.filter(({ audience, method }) => audience === 'public' && method === 'GET');
const series = cacheRule(operations.getOnlineSeries);

describe('cache policy', () => {
  it.each([
    [operations.getOnlineSeries, '', 'store'],
    [operations.getOnlineSeries, '?days=7&resolution=30&format=csv', 'store'],
    [operations.getOnlineSeries, '?time=iso', 'store'],
    [operations.listGames, '?limit=20', 'store'],
    [operations.listGames, '?q=', 'store'],
    [operations.listGames, '?q=har', 'coalesce'],
    [operations.listGames, '?offset=20', 'coalesce'],
    [operations.listChanges, '?type=new', 'store'],
    [operations.listChanges, '?cursor=x', 'coalesce'],
    [operations.listChanges, '?after=12', 'coalesce'],
    [operations.listChanges, '?game=rally', 'coalesce'],
    [operations.listChanges, '?game=', 'store'],
    [operations.listEvents, '?titleId=', 'store'],
    [operations.listEvents, '?from=2026-01-31', 'coalesce'],
    [operations.getLeaderboard, '?around=fox', 'coalesce'],
    [operations.getLeaderboard, '?at=2026-01-31', 'coalesce'],
    [operations.getAchievementLeaderboard, '?around=fox', 'coalesce'],
    [operations.searchByTime, '?time=0:49', 'coalesce'],
    [operations.searchByPlayers, '?names=fox', 'coalesce'],
    [operations.searchOnePlayer, '', 'coalesce'],
    [operations.listPlayerChanges, '', 'coalesce'],
    [operations.getRankHistory, '?titleId=4d530064&leaderboardId=1', 'coalesce'],
    [operations.suggestNames, '?q=har', 'coalesce'],
    [operations.listEvents, '?status=upcoming', 'store'],
    [operations.getProfile, '', 'revalidate'],
    [operations.getLeaderboardScores, '?limit=50', 'revalidate'],
    [operations.getReputation, '?feedbackLimit=3', 'revalidate'],
  ] as const)('of $id%s is as listed', (operation: Operation, query, keeping) => {
    expect(cacheRule(operation).policy(canonicalQuery(operation, query))).toBe(keeping);
  });
});

describe('cache key', () => {
  it('differs for each operation, resource, query and body', () => {
    const keys = publicReads.flatMap((operation) => {
      const rule = cacheRule(operation);
      return [
        rule.key({}, {}, undefined),
        rule.key({ titleId: '4d530064' }, {}, undefined),
        rule.key({}, { titleId: '4d530064' }, undefined),
        rule.key({}, {}, { titleId: '4d530064' }),
        rule.key({ titleId: '4d530064","x' }, {}, undefined),
      ];
    });
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('ignores the spelling of usernames, and of players whose response does not depend on it', () => {
    const { key } = cacheRule(operations.getProfile);
    expect(key({ username: 'Ember  Fox' }, {}, undefined)).toBe(key({ username: 'emBER fox' }, {}, undefined));
    expect(key({ username: 'Ember Fox' }, {}, undefined)).not.toBe(key({ username: 'EmberFox' }, {}, undefined));
    const player = cacheRule(operations.getPlayer).key;
    expect(player({ player: 'FOX' }, {}, undefined)).toBe(player({ player: 'fox' }, {}, undefined));
    const board = cacheRule(operations.searchOnePlayer).key;
    expect(board({ player: 'Fox' }, {}, undefined)).not.toBe(board({ player: 'fox' }, {}, undefined));
  });

  it.each([
    [operations.listChanges, '?game=&limit=050', ''],
    [operations.listEvents, '?titleId=', ''],
    [operations.searchByTime, '?time=0:49.3&titleId=', '?time=0:49.3'],
    [operations.searchByPlayers, '?names=a,', '?names=a'],
    [operations.searchByPlayers, '?names=%20a,,b,A', '?names=a,b'],
  ] as const)('of $id%s equals the key of %j', (operation, query, plain) => {
    expect(canonicalQuery(operation, query)).toEqual(canonicalQuery(operation, plain));
  });

  it('ignores unknown query parameters', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (unknown) => {
        const query = new URLSearchParams(unknown);
        for (const name of Object.keys(operations.getOnlineSeries.query.shape)) query.delete(name);
        const canonical = canonicalQuery(operations.getOnlineSeries, `/?${query.toString()}`);
        expect(series.key({}, canonical, undefined)).toBe(
          series.key({}, canonicalQuery(operations.getOnlineSeries, ''), undefined),
        );
      }),
    );
  });
});

describe('URL in the URL index', () => {
  it.each([
    ['/x', true],
    ['/x?days=1', true],
    ['/x?days=1&format=csv#y?z', true],
    ['/x?', true],
    ['/x?days=1&x=1', false],
    ['/x?sessionKey=k', false],
    ['/x?%64ays=1', false],
    ['/x?&', false],
    ['/x?days=1?y=2', true],
  ])('%s consists of known query parameters only: %s', (url, isKnown) => {
    expect(series.hasOnlyKnownParameters(url)).toBe(isKnown);
  });
});
