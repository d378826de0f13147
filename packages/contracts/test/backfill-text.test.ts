import { backfillText } from '../src/index.ts';

describe('backfill text', () => {
  it('names each unfinished part with its percentage and days', () => {
    expect(
      backfillText([
        { part: 'snapshots', done: 1031, total: 8640 },
        { part: 'leaderboards', done: 23, total: 168 },
      ]),
    ).toBe('Reading the past: 11 % of 30 days of snapshots, 13 % of 7 days of leaderboards.');
    expect(backfillText([{ part: 'snapshots', done: 287, total: 288 }])).toBe(
      'Reading the past: 99 % of 1 day of snapshots.',
    );
  });

  it.each([[[]], [[{ part: 'snapshots', done: 8640, total: 8640 } as const]]])('is undefined for %j', (parts) => {
    expect(backfillText(parts)).toBeUndefined();
  });
});
