import { setImmediate } from 'node:timers/promises';
import { DAY_SECONDS, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import type { World } from '../world/world.ts';
import type { Account } from './accounts.ts';
import type { PlaySpan } from '../world/play-day.ts';

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
    games.set(title.titleId, { title: title.name, lastPlayed, iconUrl: `${siteUrl}/icons/${title.titleId}.png` });
  }
  return [...games.values()];
}

const DAYS_BACK = 7;

interface RecentPlay {
  spans: readonly PlaySpan[];
  current: PlaySpan | undefined;
  inTitleSince: number;
  onlineSince: number;
}

/** The last seven days up to `now` (epoch seconds). Yields between days. */
async function recentPlay(world: World, players: readonly number[], now: number): Promise<Map<number, RecentPlay>> {
  const slot = slotOf(now);
  const spansOf = new Map<number, PlaySpan[]>(players.map((player) => [player, []]));
  for (let back = 0; back <= DAYS_BACK; back += 1) {
    const instant = slot - back * DAY_SECONDS;
    if (instant < 0) break;
    for (const [player, spans] of spansOf) {
      const ofDay = world.playOf(instant, player).filter(({ from }) => from <= slot);
      spans.push(...ofDay.map((span) => ({ ...span, to: Math.min(span.to, slot) })).reverse());
    }
    await setImmediate();
  }
  return new Map([...spansOf].map(([player, spans]) => [player, summarize(spans, slot)]));
}

function summarize(spans: readonly PlaySpan[], slot: number): RecentPlay {
  const current = spans[0]?.to === slot ? spans[0] : undefined;
  let inTitleSince = slot + SLOT_SECONDS;
  let onlineSince = slot + SLOT_SECONDS;
  for (const { title, from, to } of spans) {
    if (to !== onlineSince - SLOT_SECONDS) break;
    if (inTitleSince === onlineSince && title?.titleId === current?.title?.titleId) inTitleSince = from;
    onlineSince = from;
  }
  return { spans, current, inTitleSince, onlineSince };
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

function formatAgo(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${pluralize(seconds / MINUTE, 'minute')} ago`;
  if (seconds < DAY) return `${pluralize(seconds / HOUR, 'hour')} ago`;
  return `${pluralize(seconds / DAY, 'day')} ago`;
}

function formatDuration(seconds: number): string {
  const minutes = pluralize((seconds % HOUR) / MINUTE, 'minute');
  return seconds < HOUR ? minutes : `${pluralize(seconds / HOUR, 'hour')} ${minutes}`;
}

function pluralize(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
