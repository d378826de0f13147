import { formatInstant, playersObserved, type ObservedPlayer } from '@lobbystats/contracts';
import { z } from 'zod';
import { UnparseablePageError } from '../../network/page-failures.ts';
import type { PlayersReading } from '../../network/network.ts';
import { gameName, parseFeed } from './parse-feed.parse.ts';

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

/** How far the clock of the network may be ahead. */
const TOLERANCE_SECONDS = 3600;

/**
 * Reads the player feed. Skips and counts unreadable elements.
 *
 * @param context when the feed was requested, in epoch seconds: nobody was seen later
 * @throws UnparseablePageError when it is not a player feed, or most elements are unreadable
 */
export function readPlayers(text: string, { seenAt = Infinity }: { seenAt?: number }): PlayersReading {
  const { players: elements, next } = feedOf(text);
  const latest = seenAt === Infinity || seenAt === 0 ? '9999' : formatInstant(seenAt + TOLERANCE_SECONDS);
  const players: ObservedPlayer[] = [];
  let fault = '';
  for (const each of elements) {
    const player = readPlayer(each, latest);
    if (typeof player === 'string') fault ||= player;
    else players.push(player);
  }
  const skipped = elements.length - players.length;
  if (skipped > players.length) {
    throw new UnparseablePageError(
      `of ${elements.length} players ${skipped} can't be read, the first because of ${fault}`,
    );
  }
  return { players, skipped, next };
}

function feedOf(text: string): z.output<typeof feed> {
  const parsed = feed.safeParse(parseFeed(text));
  if (!parsed.success) throw new UnparseablePageError('it is not a list of players with a `next`');
  return parsed.data;
}

/** A player, or what is wrong with it. */
function readPlayer(value: unknown, latest: string): ObservedPlayer | string {
  if (typeof value !== 'object' || value === null) return 'an element that is no object';
  const { data: player, error } = element.safeParse({ ...UNKNOWN, ...value, ...instantOf(value) });
  if (player === undefined) {
    const [issue] = error.issues;
    return issue === undefined ? 'its form' : `${issue.path.join('.')}: ${issue.message}`;
  }
  if (player.lastSeenAt < EARLIEST_SEEN || player.lastSeenAt > latest) return `lastSeenAt ${player.lastSeenAt}`;
  const texts = [player.username, player.gamertag, player.game ?? ''];
  return texts.every((text) => text.isWellFormed() && !text.includes('\uFFFD'))
    ? player
    : 'a text that could not be decoded';
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;

/** The instant in UTC, without fractions of a second. */
function instantOf(value: object): { lastSeenAt?: string } {
  const text = 'lastSeenAt' in value ? value.lastSeenAt : undefined;
  if (typeof text !== 'string' || !ISO.test(text)) return {};
  const ms = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(ms) ? {} : { lastSeenAt: formatInstant(Math.floor(ms / 1000)) };
}
