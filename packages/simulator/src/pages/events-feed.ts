import type { World } from '../world/world.ts';
import type { Page } from './page.ts';

export function eventsFeed(world: World, slot: number): Page {
  const body = `[${world
    .eventsAt(slot)
    .map((event) => JSON.stringify(event))
    .join(',\n')}]\n`;
  return { status: 200, contentType: 'application/json; charset=utf-8', body, maxAgeSeconds: 0 };
}
