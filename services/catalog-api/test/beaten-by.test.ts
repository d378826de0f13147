import fc from 'fast-check';
import { diffBoard } from '../src/ingest/diff-board.ts';
import { beatenBy } from '../src/ingest/plan-commit.ts';

type Scores = readonly (readonly [name: string, rating: string])[];

function entriesOf(scores: Scores, isTime = false) {
  return scores.map(([name, rating], index) => ({
    ...{ rank: index + 1, name, rating },
    timeMs: isTime ? Number(rating) : 0,
  }));
}

/** The changes that are records, with whom they beat. */
function recordsOf(before: Scores, after: Scores, isTime = false): string[] {
  const [old, now] = [before, after].map((scores) => ({ name: 'Pier', isTime, entries: entriesOf(scores, isTime) }));
  if (old === undefined || now === undefined) return [];
  return diffBoard(old, now)
    .map((change) => ({ ...change, beaten: beatenBy(change, old) }))
    .filter(({ beaten }) => beaten !== null)
    .map(({ playerName, newRating, beaten }) => `${playerName} ${newRating} beats ${beaten?.name} ${beaten?.rating}`);
}

const KESTREL = ['Kestrel', '10000'] as const;
const WREN = ['Wren', '900'] as const;

describe('a record of a leaderboard', () => {
  it.each<[string, Scores, Scores, string[]]>([
    ['a better score', [WREN], [KESTREL, WREN], ['Kestrel 10000 beats Wren 900']],
    [
      'a better score of the holder',
      [['Kestrel', '1,000'], WREN],
      [KESTREL, WREN],
      ['Kestrel 10000 beats Kestrel 1,000'],
    ],
    ['a score with decimals', [['Wren', '900.25']], [['Wren', '900.5']], ['Wren 900.5 beats Wren 900.25']],
    [
      'less where less is better',
      [
        ['Wren', '3'],
        ['Finch', '5'],
      ],
      [
        ['Teal', '2'],
        ['Wren', '3'],
        ['Finch', '5'],
      ],
      ['Teal 2 beats Wren 3'],
    ],
    ['a tie', [KESTREL, WREN], [['Finch', '10000'], KESTREL, WREN], []],
    [
      'a reset',
      [KESTREL, WREN],
      [
        ['Kestrel', '0'],
        ['Wren', '0'],
      ],
      [],
    ],
    ['an entry on an empty board', [], [KESTREL], []],
    ['another spelling of the name', [KESTREL, WREN], [['KESTREL', '10000'], WREN], []],
    ['another spelling of the rating', [KESTREL, WREN], [['Kestrel', '10000 pts'], WREN], []],
    ['the next after a removed one', [KESTREL, WREN], [['Wren', '950']], []],
    [
      'a rating that is no number',
      [['Wren', 'Gold']],
      [
        ['Kestrel', 'Platinum'],
        ['Wren', 'Gold'],
      ],
      [],
    ],
  ])('%s', (_what, before, after, records) => {
    expect(recordsOf(before, after)).toEqual(records);
  });

  it('of times is less than every time that was known', () => {
    const times = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(times, times, (before, after) => {
        const [old, now] = [before, after].map((all, round) =>
          all.toSorted((a, b) => a - b).map((time, index) => [`${round} ${index}`, String(time)] as const),
        );
        const [best, first] = [Math.min(...after), Math.min(...before)];
        const records = recordsOf(old ?? [], now ?? [], true);
        expect(records).toEqual(best < first ? [`1 0 ${best} beats 0 0 ${first}`] : []);
      }),
    );
  });
});
