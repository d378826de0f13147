import type { Client } from '@lobbystats/client';
import { beginsSoon } from '@lobbystats/contracts/news';
import type { Target } from './browser-follows.ts';
import { newsOfEvent, type PublicEvent } from './news.ts';
import type { News } from './notices.ts';

const EVENTS_MAX = 200;

/** Followed events, and those of followed games, that begin soon. */
export function createEventNews(api: Pick<Client, 'listEvents' | 'getEvent'>, onNews: (news: readonly News[]) => void) {
  const upcoming = new Map<number, PublicEvent>();
  /** Starts of which there are news. */
  const known = new Set<string>();

  const isDue = (event: PublicEvent) => beginsSoon(startsAt(event), Date.now() / 1000) && !known.has(startOf(event));

  const notice = async (follows: readonly Target[]) => {
    const due = [...upcoming.values()].filter((event) => isDue(event) && newsOfEvent(event, follows) !== undefined);
    for (const { id } of due) {
      // One that was withdrawn is not found.
      const event = await api.getEvent({ eventId: id }).catch(() => undefined);
      if (event === undefined) continue;
      upcoming.set(id, event);
      const news = isDue(event) ? newsOfEvent(event, follows) : undefined;
      if (news === undefined) continue;
      known.add(startOf(event));
      onNews([news]);
    }
  };
  const load = async (follows: readonly Target[]) => {
    if (!follows.some(({ kind }) => kind === 'game' || kind === 'event')) return;
    const events = await api.listEvents({ status: 'upcoming', limit: EVENTS_MAX }).catch(() => []);
    for (const event of events) upcoming.set(event.id, event);
    await notice(follows);
  };
  const put = (event: PublicEvent) => void upcoming.set(event.id, event);
  return { load, put, notice };
}

function startsAt({ starts_at }: PublicEvent): number {
  return Date.parse(`${starts_at.replace(' ', 'T')}Z`) / 1000;
}

function startOf({ id, starts_at }: PublicEvent): string {
  return `${id} ${starts_at}`;
}
