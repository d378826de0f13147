import { formatInstant, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import type { Title } from '../world/title.ts';
import type { World } from '../world/world.ts';
import type { Page } from './page.ts';
import { parseInstant } from '../instants.ts';

export function eventsFeed(world: World, slot: number): Page {
  const lines = world.eventsAt(slot).map((event) => JSON.stringify(event));
  return jsonPage(`[${lines.join(',\n')}]\n`);
}

/** In seconds. */
const LOOK_BACK_SECONDS = 3_600;

const FRACTION = /\.\d{1,9}Z$/;

/** Everyone online and, with `since` (epoch seconds), everyone who was online since then. Constant within a slot. */
export function playersFeed(world: World, slot: number, since: number | undefined): Page {
  const online = world.onlineAt(slot);
  const listed = new Set(online.map(({ player }) => player));
  const lines = online.map(({ player, title }) => line(world, player, { isOnline: true, title, at: slot }));
  const first = Math.max(slotOf(since ?? slot), slot - LOOK_BACK_SECONDS);
  for (let at = slot - SLOT_SECONDS; at >= first; at -= SLOT_SECONDS) {
    for (const { player } of world.onlineAt(at)) {
      if (listed.has(player)) continue;
      listed.add(player);
      lines.push(line(world, player, { isOnline: false, title: null, at }));
    }
  }
  return jsonPage(`{"players":[${lines.join(',\n')}],"next":"${formatInstant(slot)}"}\n`);
}

function jsonPage(body: string): Page {
  return { status: 200, contentType: 'application/json; charset=utf-8', body, maxAgeSeconds: 0 };
}

export function readSince(since: unknown): number | undefined {
  if (since === undefined) return undefined;
  return (typeof since === 'string' ? parseInstant(since.replace(FRACTION, 'Z')) : undefined) ?? Number.NaN;
}

interface FeedEntry {
  isOnline: boolean;
  title: Title | null;
  at: number;
}

function line(world: World, player: number, { isOnline, title, at }: FeedEntry): string {
  const { username, gamertag, verified } = world.userOf(player);
  const { name: game = null, titleId = null } = title ?? {};
  return JSON.stringify({ username, gamertag, isOnline, game, titleId, lastSeenAt: formatInstant(at), verified });
}
