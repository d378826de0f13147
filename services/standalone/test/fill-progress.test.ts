import { fillProgressLine } from '../src/fill-progress.ts';

function shown(isTTY: boolean, done: readonly number[]): string {
  let text = '';
  const show = fillProgressLine({ isTTY, write: (part) => (text += part) });
  for (const doneSlots of done) show({ doneSlots, totalSlots: 8640, doneDays: 365 });
  return text;
}

describe('the progress of a fill', () => {
  it('is one line that is rewritten on a terminal', () => {
    const text = shown(true, [0, 4320, 8640]);
    expect(text.split('\r')).toHaveLength(4);
    expect(text.match(/\n/g)).toHaveLength(1);
    expect(text).toMatch(/50 % \(4320 of 8640 snapshots\)/);
  });

  it('is a line each tenth elsewhere', () => {
    const text = shown(false, [0, 100, 900, 1000, 8640]);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => /(\d+) %/.exec(line)?.[1]),
    ).toEqual(['0', '10', '100']);
  });

  it('is not shown by a start that finds the past filled', () => {
    expect(shown(true, [8640])).toBe('');
  });
});
