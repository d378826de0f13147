import { readConsistently } from '../src/boards/catalog-reader.ts';

/** A log whose revision grows during each of the first `times` reads. */
function changingLog(times: number) {
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

describe('readConsistently', () => {
  it.each([0, 1, 4])('retries until no commit happens during the read: %s concurrent commits', async (moves) => {
    const { boards, read } = changingLog(moves);
    expect(await readConsistently(boards, read)).toEqual({ seen: 7 + moves, after: 7 + moves });
  });

  it('returns the last attempt when commits never pause', async () => {
    const { boards, read } = changingLog(Infinity);
    expect(await readConsistently(boards, read)).toEqual({ seen: 11, after: 12 });
  });

  it('propagates an error of the read', async () => {
    const { boards } = changingLog(0);
    await expect(readConsistently(boards, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
