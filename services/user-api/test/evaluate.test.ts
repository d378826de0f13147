import fc from 'fast-check';
import type { Rule } from '../src/definitions/definitions.ts';
import { newlyFulfilled, type Progress } from '../src/achievements/evaluate.ts';
import {
  definition,
  definitionsOf,
  OTHER_TITLE,
  userRecord,
  titlePlays,
  playerOf,
  TITLE,
} from './achievement-builders.ts';

const idle: Progress = { user: userRecord('EmberFox'), player: undefined };

/** Returns the progress of a user who has reached `value` for a rule of this kind. */
const progressAt: Record<Rule['kind'], (value: number) => Progress> = {
  'play-minutes': (value) => withTitles({ [TITLE]: value - 30, [OTHER_TITLE]: 30 }),
  'play-minutes-in-title': (value) => withTitles({ [TITLE]: value, [OTHER_TITLE]: 100_000 }),
  'titles-played': (value) =>
    withTitles(Object.fromEntries(Array.from({ length: value }, (_, n) => [`0000000${n}`, 5]))),
  'leaderboard-rank': (value) => ({ ...idle, player: playerOf('EmberFox', { [`${TITLE}:1`]: value }) }),
  'leaderboards-on': (value) => ({
    ...idle,
    player: playerOf('EmberFox', Object.fromEntries(Array.from({ length: value }, (_, n) => [`${TITLE}:${n}`, 900]))),
  }),
  'ratings-given': (value) => ({ ...idle, user: userRecord('EmberFox', { ratingsGiven: value }) }),
  'sessions-hosted': (value) => ({ ...idle, player: playerOf('EmberFox', {}, value) }),
};

function withTitles(minutes: Record<string, number>): Progress {
  return { ...idle, user: userRecord('EmberFox', { titles: titlePlays(minutes) }) };
}

function fulfilled(rule: Rule, progress: Progress): boolean {
  return newlyFulfilled(definitionsOf([definition(1, { rule })]), progress).length === 1;
}

describe('achievement rule', () => {
  const rules: [Rule, number][] = [
    [{ kind: 'play-minutes', minutes: 60 }, 60],
    [{ kind: 'play-minutes-in-title', titleId: TITLE, minutes: 600 }, 600],
    [{ kind: 'titles-played', count: 3 }, 3],
    [{ kind: 'leaderboards-on', count: 5 }, 5],
    [{ kind: 'ratings-given', count: 7 }, 7],
    [{ kind: 'sessions-hosted', count: 20 }, 20],
  ];

  it.each(rules)('%j is fulfilled at and above its bound, not below', (rule, bound) => {
    const progress = progressAt[rule.kind];
    expect(fulfilled(rule, progress(bound - 1))).toBe(false);
    expect(fulfilled(rule, progress(bound))).toBe(true);
    expect(fulfilled(rule, progress(bound + 1))).toBe(true);
    expect(fulfilled(rule, idle)).toBe(false);
  });

  it.each<Rule>([
    { kind: 'leaderboard-rank', rank: 10 },
    { kind: 'leaderboard-rank', rank: 10, titleId: TITLE },
  ])('%j is fulfilled by its rank and better ranks, not by worse ones', (rule) => {
    const progress = progressAt['leaderboard-rank'];
    expect(fulfilled(rule, progress(11))).toBe(false);
    expect(fulfilled(rule, progress(10))).toBe(true);
    expect(fulfilled(rule, progress(1))).toBe(true);
    expect(fulfilled(rule, idle)).toBe(false);
  });

  it('for a rank in a title is not fulfilled by a rank in another title', () => {
    const progress = { ...idle, player: playerOf('EmberFox', { [`${OTHER_TITLE}:1`]: 1, [`${TITLE}:1`]: 50 }) };
    expect(fulfilled({ kind: 'leaderboard-rank', rank: 1, titleId: TITLE }, progress)).toBe(false);
    expect(fulfilled({ kind: 'leaderboard-rank', rank: 1 }, progress)).toBe(true);
  });

  it('is judged by the best of several ranks', () => {
    const ranks = { [`${TITLE}:1`]: 50, [`${TITLE}:2`]: 3, [`${TITLE}:3`]: null };
    const progress = { ...idle, player: playerOf('EmberFox', ranks) };
    expect(fulfilled({ kind: 'leaderboard-rank', rank: 3, titleId: TITLE }, progress)).toBe(true);
    expect(fulfilled({ kind: 'leaderboard-rank', rank: 2, titleId: TITLE }, progress)).toBe(false);
  });

  it('ignores leaderboards that the player was never seen on and titles without play time', () => {
    const player = playerOf('EmberFox', { [`${TITLE}:1`]: null, [`${TITLE}:2`]: 4 });
    const progress = { user: userRecord('EmberFox', { titles: titlePlays({ [TITLE]: 0, [OTHER_TITLE]: 5 }) }), player };
    expect(fulfilled({ kind: 'leaderboards-on', count: 2 }, progress)).toBe(false);
    expect(fulfilled({ kind: 'titles-played', count: 2 }, progress)).toBe(false);
  });

  it('for play time in a title is not fulfilled by play time in another title', () => {
    expect(
      fulfilled({ kind: 'play-minutes-in-title', titleId: '00000009', minutes: 5 }, withTitles({ [TITLE]: 500 })),
    ).toBe(false);
  });
});

const anyRule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ kind: fc.constant('play-minutes' as const), minutes: fc.integer({ min: 1, max: 50 }) }),
  fc.record({
    kind: fc.constant('play-minutes-in-title' as const),
    titleId: fc.constantFrom(TITLE, OTHER_TITLE),
    minutes: fc.integer({ min: 1, max: 50 }),
  }),
  fc.record({
    kind: fc.constantFrom('titles-played', 'leaderboards-on', 'ratings-given', 'sessions-hosted'),
    count: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({
    kind: fc.constant('leaderboard-rank' as const),
    rank: fc.integer({ min: 1, max: 20 }),
    titleId: fc.constantFrom(undefined, TITLE, OTHER_TITLE),
  }),
);

const anyProgress: fc.Arbitrary<Progress> = fc
  .record({
    minutes: fc.dictionary(fc.constantFrom(TITLE, OTHER_TITLE, '00000001'), fc.integer({ min: 0, max: 60 })),
    ratingsGiven: fc.nat(6),
    unlocked: fc.uniqueArray(fc.integer({ min: 1, max: 12 })),
    ranks: fc.dictionary(
      fc.constantFrom(`${TITLE}:1`, `${TITLE}:2`, `${OTHER_TITLE}:1`),
      fc.option(fc.integer({ min: 1, max: 25 })),
    ),
    hosted: fc.nat(6),
    hasPlayer: fc.boolean(),
  })
  .map(({ minutes, ratingsGiven, unlocked, ranks, hosted, hasPlayer }) => ({
    user: userRecord('EmberFox', {
      titles: titlePlays(minutes),
      ratingsGiven,
      unlocked: unlocked.sort((a, b) => a - b),
    }),
    player: hasPlayer ? playerOf('EmberFox', ranks, hosted) : undefined,
  }));

/** Reference implementation of the rules. */
function isFulfilled(rule: Rule, { user, player }: Progress): boolean {
  const ranks = [...(player?.standings ?? [])].flatMap(([board, { rank }]) => (rank === null ? [] : [{ board, rank }]));
  switch (rule.kind) {
    case 'play-minutes':
      return user.titles.reduce((sum, { minutes }) => sum + minutes, 0) >= rule.minutes;
    case 'play-minutes-in-title':
      return user.titles.some(({ titleId, minutes }) => titleId === rule.titleId && minutes >= rule.minutes);
    case 'titles-played':
      return user.titles.filter(({ minutes }) => minutes > 0).length >= rule.count;
    case 'leaderboard-rank':
      return ranks.some(({ board, rank }) => board.startsWith(rule.titleId ?? '') && rank <= rule.rank);
    case 'leaderboards-on':
      return ranks.length >= rule.count;
    case 'ratings-given':
      return user.ratingsGiven >= rule.count;
    case 'sessions-hosted':
      return (player?.hosted ?? 0) >= rule.count;
  }
}

describe('newly fulfilled achievements', () => {
  it('are the fulfilled ones that are not unlocked yet, sorted by id', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 12 }), anyProgress, (rules, progress) => {
        const all = rules.map((rule, index) => definition(index + 1, { rule }));
        const expected = all.filter(
          ({ id, rule }) => isFulfilled(rule, progress) && !progress.user.unlocked.includes(id),
        );
        expect(newlyFulfilled(definitionsOf(all.toReversed()), progress)).toEqual(expected);
      }),
    );
  });
});
