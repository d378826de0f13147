import { allOperations, operations } from '@lobbystats/contracts';
import fc from 'fast-check';
import { cacheRule } from '../src/http/cache-key.ts';
import { canonicalQuery } from '../src/http/canonical-query.ts';

const publicReads = allOperations.filter(({ audience, method }) => audience === 'public' && method === 'GET');
const series = cacheRule(operations.getOnlineSeries);

describe('what becomes of an answer', () => {
  it.each([
    [operations.getOnlineSeries, '', 'kept'],
    [operations.getOnlineSeries, '?days=7&resolution=30&format=csv', 'kept'],
    [operations.listGames, '?limit=20', 'kept'],
    [operations.listGames, '?q=', 'kept'],
    [operations.listGames, '?q=har', 'shared'],
    [operations.listGames, '?offset=20', 'shared'],
    [operations.listChanges, '?type=new', 'kept'],
    [operations.listChanges, '?cursor=x', 'shared'],
    [operations.listChanges, '?after=12', 'shared'],
    [operations.listChanges, '?game=rally', 'shared'],
    [operations.listChanges, '?game=', 'kept'],
    [operations.listEvents, '?titleId=', 'kept'],
    [operations.listEvents, '?from=2026-01-31', 'shared'],
    [operations.getLeaderboard, '?around=fox', 'shared'],
    [operations.getLeaderboard, '?at=2026-01-31', 'shared'],
    [operations.getAchievementLeaderboard, '?around=fox', 'shared'],
    [operations.searchByTime, '?time=0:49', 'shared'],
    [operations.searchByPlayers, '?names=fox', 'shared'],
    [operations.searchOnePlayer, '', 'shared'],
    [operations.getProfile, '', 'revalidated'],
    [operations.getLeaderboardScores, '?limit=50', 'revalidated'],
    [operations.getReputation, '?feedbackLimit=3', 'revalidated'],
  ] as const)('of $id%s', (operation, query, keeping) => {
    expect(cacheRule(operation).keeping(canonicalQuery(operation, query))).toBe(keeping);
  });
});

describe('a key', () => {
  it('is of one operation, one resource, one query and one body', () => {
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

  it('is the same for people’s names in any spelling, and for no others', () => {
    const { key } = cacheRule(operations.getProfile);
    expect(key({ username: 'Ember  Fox' }, {}, undefined)).toBe(key({ username: 'emBER fox' }, {}, undefined));
    expect(key({ username: 'Ember Fox' }, {}, undefined)).not.toBe(key({ username: 'EmberFox' }, {}, undefined));
    const board = cacheRule(operations.searchOnePlayer).key;
    expect(board({ player: 'Fox' }, {}, undefined)).not.toBe(board({ player: 'fox' }, {}, undefined));
  });

  it.each([
    [operations.listChanges, '?game=&limit=050', ''],
    [operations.listEvents, '?titleId=', ''],
    [operations.searchByTime, '?time=0:49.3&titleId=', '?time=0:49.3'],
    [operations.searchByPlayers, '?names=a,', '?names=a'],
    [operations.searchByPlayers, '?names=%20a,,b,A', '?names=a,b'],
  ] as const)('of $id%s is that of %j', (operation, query, plain) => {
    expect(canonicalQuery(operation, query)).toEqual(canonicalQuery(operation, plain));
  });

  it('does not differ by what nobody knows', () => {
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

describe('a URL', () => {
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
  ])('%s has only what is known in its query: %s', (url, isKnown) => {
    expect(series.isWhollyKnown(url)).toBe(isKnown);
  });
});
