import { createHash } from 'node:crypto';
import type { BoardContent } from './board.ts';

const PARSER_VERSION = '1';

export function boardDigest(name: string, { isTime, entries }: BoardContent): string {
  const texts = entries.map(({ rank, name: player, rating, timeMs }) => [rank, player, rating, timeMs]);
  const hash = createHash('sha256').update(JSON.stringify([name, isTime, texts]));
  return `${PARSER_VERSION}:${hash.digest('base64url')}`;
}

/** Whether the present parser version made the digest. */
export function isOfCurrentParser(digest: string): boolean {
  return digest.startsWith(`${PARSER_VERSION}:`);
}
