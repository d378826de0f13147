import fc from 'fast-check';
import { readActivity, readCount } from '../src/pages/text-values.ts';

/** The format as one regular expression, which takes quadratic time. */
const BUSY = /^(.+) in (.+) sessions?$/is;

const text = fc
  .array(fc.constantFrom('1', '12', '1,234', '0', ' in ', ' IN ', 'in', ' ', ' sessions', ' Session', 'x', 's', '\n'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

describe('readActivity', () => {
  it('accepts exactly the form "N in M sessions"', () => {
    fc.assert(
      fc.property(text, (written) => {
        const [, ...counts] = BUSY.exec(written) ?? [];
        const [players, sessions] = counts.map(readCount);
        const isBusy = players !== undefined && sessions !== undefined && sessions > 0;
        const read = readActivity(written);
        fc.pre(read?.sessions !== 0);
        expect(read).toEqual(isBusy ? { players, sessions } : null);
      }),
      { numRuns: 1000, examples: [['5 in 3 sessions'], ['1,234 in 1 session'], ['5 in 3 in 2 sessions']] },
    );
  });

  it('returns null for a text longer than 200 characters', () => {
    const written = (length: number) => `${'1'.padStart(length - ' in 2 sessions'.length, '0')} in 2 sessions`;
    expect(readActivity(written(200))).toEqual({ players: 1, sessions: 2 });
    expect(readActivity(written(201))).toBeNull();
  });
});
