import { createHash } from 'node:crypto';
import type { BoardContent } from './board.ts';

/** Grows whenever the readers read something else off the same pages: then what was had before is read anew. */
const READERS = '1';

/** What tells a board, name included, from itself as it was before. */
export function boardDigest(name: string, { isTime, entries }: BoardContent): string {
  const texts = entries.map(({ rank, name: player, rating, timeMs }) => [rank, player, rating, timeMs]);
  const hash = createHash('sha256').update(JSON.stringify([name, isTime, texts]));
  return `${READERS}:${hash.digest('base64url')}`;
}

/** Whether a digest was made of what the present readers read. */
export function isOfTheseReaders(digest: string): boolean {
  return digest.startsWith(`${READERS}:`);
}
