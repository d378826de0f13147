import type { BoardStore } from './board-store.ts';

/** How often is read anew while boards are being committed. */
const MAX_ATTEMPTS = 5;

/**
 * Reads several things as they were together: what was read while boards were committed is read again. Where one commit
 * follows another without a pause, the last attempt stands as it is: an answer a moment out of step is better than none.
 */
export async function steadyRead<Result>(
  boards: Pick<BoardStore, 'changeLog'>,
  read: () => Promise<Result>,
): Promise<Result> {
  let { revision } = await boards.changeLog();
  for (let attempt = 1; ; attempt += 1) {
    const result = await read();
    const after = (await boards.changeLog()).revision;
    if (after === revision || attempt === MAX_ATTEMPTS) return result;
    revision = after;
  }
}
