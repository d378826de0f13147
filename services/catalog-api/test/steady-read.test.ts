import { steadyRead } from '../src/domain/steady-read.ts';

/** A log that moves on behind the reader's back as often as said. */
function logThatMoves(times: number) {
  let [revision, left] = [7, times];
  return {
    boards: { changeLog: async () => ({ revision, lastId: 0, lastChangedAt: 0 }) },
    read: async () => {
      const seen = revision;
      if (left > 0) {
        left -= 1;
        revision += 1;
      }
      return { seen, after: revision };
    },
  };
}

describe('a steady read', () => {
  it.each([0, 1, 4])('sees one revision alone, however often the log moves in between: %s', async (moves) => {
    const { boards, read } = logThatMoves(moves);
    expect(await steadyRead(boards, read)).toEqual({ seen: 7 + moves, after: 7 + moves });
  });

  it('answers all the same where commits never pause', async () => {
    const { boards, read } = logThatMoves(Infinity);
    expect(await steadyRead(boards, read)).toEqual({ seen: 11, after: 12 });
  });

  it('passes on what the read throws', async () => {
    const { boards } = logThatMoves(0);
    await expect(steadyRead(boards, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
