import type { BoardStore } from './board-store.ts';

/** Retries while boards are committed. */
const MAX_ATTEMPTS = 5;

/** Reads several things at one revision, with retries. The last attempt's result is returned as it is. */
export async function readConsistently<Result>(
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
