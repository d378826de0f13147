import { createHash } from 'node:crypto';
import { BOARDS_PER_TITLE_MAX, type EpochSeconds, type ObservedEntry } from '@lobbystats/contracts';

export interface BoardKey {
  titleId: string;
  leaderboardId: number;
}

export function boardIdOf({ titleId, leaderboardId }: BoardKey): string {
  return `${titleId} ${leaderboardId}`;
}

export interface ListedBoard {
  id: number;
  name: string;
}

/** Listed boards by number, without new ones that would exceed the limit of a title. */
export function withoutExcess<Board>(
  listed: ReadonlyMap<number, Board>,
  known: { has(id: number): boolean; readonly size: number },
): ReadonlyMap<number, Board> {
  let room = BOARDS_PER_TITLE_MAX - known.size;
  return new Map([...listed].filter(([id]) => known.has(id) || room-- > 0));
}

export interface BoardContent {
  isTime: boolean;
  entries: ObservedEntry[];
}

export interface BoardJob extends BoardKey {
  pass: EpochSeconds;
  name: string;
}

/** A reading that found a board unchanged. */
export interface BoardConfirmation extends BoardKey {
  pass: EpochSeconds;
  seenAt: EpochSeconds;
}

export interface BoardObservation extends BoardJob {
  seenAt: EpochSeconds;
  board: BoardContent | null;
}

const PARSER_VERSION = '4';

export function boardDigest(name: string, { isTime, entries }: BoardContent): string {
  const texts = entries.map(({ rank, name: player, rating, timeMs }) => [rank, player, rating, timeMs]);
  const hash = createHash('sha256').update(JSON.stringify([name, isTime, texts]));
  return `${PARSER_VERSION}:${hash.digest('base64url')}`;
}

/** Whether the present parser version made the digest. */
export function isOfCurrentParser(digest: string): boolean {
  return digest.startsWith(`${PARSER_VERSION}:`);
}
