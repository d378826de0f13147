import { playersObserved, type ObservedPlayer } from '@lobbystats/contracts';
import { z } from 'zod';
import { UnparseablePageError } from '../network/page-failures.ts';
import type { PlayersReading } from '../network/network.ts';
import { gameName, parseFeed } from '../feeds/parse-feed.parse.ts';

/** Above the number of users that any network has online. */
const PLAYERS_MAX = 1_000_000;

/** Earlier instants, such as 1970, are what software writes for "never". */
const EARLIEST_SEEN = '2000-01-01T00:00:00Z';

const element = z.object({
  ...playersObserved.data.shape.players.element.shape,
  game: gameName.nullable(),
});
const UNKNOWN = { gamertag: '', verified: false, titleId: null, game: null };
const feed = z.object({ players: z.array(z.unknown()).max(PLAYERS_MAX), next: z.string().min(1).max(100).nullable() });

/**
 * Reads the player feed. Skips and counts unreadable elements.
 *
 * @throws UnparseablePageError when it is not a player feed, or most elements are unreadable
 */
export function readPlayers(text: string): PlayersReading {
  const { players: elements, next } = feedOf(text);
  const players: ObservedPlayer[] = [];
  for (const each of elements) {
    const player = readPlayer(each);
    if (player !== undefined) players.push(player);
  }
  const skipped = elements.length - players.length;
  if (skipped > players.length) {
    throw new UnparseablePageError(`of ${elements.length} players ${skipped} can't be read`);
  }
  return { players, skipped, next };
}

function feedOf(text: string): z.output<typeof feed> {
  const parsed = feed.safeParse(parseFeed(text));
  if (!parsed.success) throw new UnparseablePageError('it is not a list of players with a `next`');
  return parsed.data;
}

function readPlayer(value: unknown): ObservedPlayer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { data: player } = element.safeParse({ ...UNKNOWN, ...value, ...secondsOf(value) });
  if (player === undefined || player.lastSeenAt < EARLIEST_SEEN) return undefined;
  const texts = [player.username, player.gamertag, player.game ?? ''];
  return texts.every((text) => text.isWellFormed() && !text.includes('\uFFFD')) ? player : undefined;
}

/** Removes fractions of a second. */
function secondsOf(value: object): { lastSeenAt?: string } {
  const text = 'lastSeenAt' in value ? value.lastSeenAt : undefined;
  return typeof text === 'string' ? { lastSeenAt: text.replace(/\.\d{1,9}Z$/, 'Z') } : {};
}
