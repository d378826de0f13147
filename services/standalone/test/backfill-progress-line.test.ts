import { backfillProgressLine } from '../src/backfill-progress-line.ts';

function progressOutput(isTTY: boolean, done: readonly number[]): string {
  let text = '';
  const show = backfillProgressLine({ isTTY, write: (part) => (text += part) });
  for (const doneSlots of done) show({ doneSlots, totalSlots: 8640, doneDays: 365 });
  return text;
}

describe('backfill progress', () => {
  it('rewrites one line on a terminal', () => {
    const text = progressOutput(true, [0, 4320, 8640]);
    expect(text.split('\r')).toHaveLength(4);
    expect(text.match(/\n/g)).toHaveLength(1);
    expect(text).toMatch(/50 % \(4320 of 8640 snapshots\)/);
  });

  it('prints a line per 10% when output is not a terminal', () => {
    const text = progressOutput(false, [0, 100, 900, 1000, 8640]);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => /(\d+) %/.exec(line)?.[1]),
    ).toEqual(['0', '10', '100']);
  });

  it('prints nothing when the backfill is already complete', () => {
    expect(progressOutput(true, [8640])).toBe('');
  });
});
