import type { World } from '../world/world.ts';
import type { Account } from './accounts.ts';
import { recentPlay } from './recent-play.ts';
import type { RecentPlay } from './recent-play.ts';
import { formatAgo, formatDuration } from './relative-time.ts';

export interface SessionDataParts {
  world: World;
  siteUrl: string;
  now: number;
}

interface Game {
  title: string;
  lastPlayed: string;
  iconUrl: string;
}

export async function friendsOf({ friends }: Account, { world, now }: SessionDataParts): Promise<object> {
  const play = await recentPlay(world, friends, now);
  const entries = [...play].map(([player, recent]) => ({
    gamertag: world.userOf(player).gamertag,
    ...presenceOf(recent),
    ...(recent.current && { duration: formatDuration(now - recent.inTitleSince) }),
    ...(!recent.current && { lastSeen: formatLastSeen(recent, now) }),
  }));
  entries.sort(
    (one, other) => Number(other.isOnline) - Number(one.isOnline) || (one.gamertag < other.gamertag ? -1 : 1),
  );
  return { friends: entries, lastUpdated: epochMs(now), count: entries.length };
}

export async function gamesOf(account: Account, parts: SessionDataParts): Promise<object> {
  const games = gamesPlayed(await playOf(account, parts), parts);
  return { games, lastUpdated: epochMs(parts.now), count: games.length };
}

export async function profileOf(account: Account, parts: SessionDataParts): Promise<object> {
  const recent = await playOf(account, parts);
  const games = gamesPlayed(recent, parts);
  return {
    ...presenceOf(recent),
    ...(recent?.current && { timeOnline: formatDuration(parts.now - recent.onlineSince) }),
    gamesPlayed: games,
    lastUpdated: epochMs(parts.now),
    count: games.length,
  };
}

/** Milliseconds, as deployed auth services send. */
function epochMs(epochSeconds: number): number {
  return epochSeconds * 1000;
}

async function playOf({ player }: Account, { world, now }: SessionDataParts): Promise<RecentPlay | undefined> {
  return player === undefined ? undefined : (await recentPlay(world, [player], now)).get(player);
}

function presenceOf(recent: RecentPlay | undefined): { isOnline: boolean; status: string; game?: string } {
  const current = recent?.current;
  if (current === undefined) return { isOnline: false, status: 'offline' };
  return { isOnline: true, status: 'online', ...(current.title !== null && { game: current.title.name }) };
}

function formatLastSeen({ spans }: RecentPlay, now: number): string {
  const [latest] = spans;
  return latest === undefined ? 'more than a week ago' : formatAgo(now - latest.to);
}

function gamesPlayed(recent: RecentPlay | undefined, { siteUrl, now }: SessionDataParts): Game[] {
  const games = new Map<string, Game>();
  for (const { title, to } of recent?.spans ?? []) {
    if (title === null || games.has(title.titleId)) continue;
    const lastPlayed = recent?.current?.to === to ? 'just now' : formatAgo(now - to);
    games.set(title.titleId, { title: title.name, lastPlayed, iconUrl: `${siteUrl}/icons/${title.titleId}.svg` });
  }
  return [...games.values()];
}
