import { announcedEvent, EVENTS_MAX, networkId, type AnnouncedEvent } from '@lobbystats/contracts';
import { z } from 'zod';
import { UnparseablePageError } from '../../network/page-failures.ts';
import type { EventsReading } from '../../network/network.ts';
import { toAbsoluteUrl } from '../pages/pictures.parse.ts';
import { parseFeed } from './parse-feed.parse.ts';

const UNKNOWN: Partial<AnnouncedEvent> = {
  game_name: '',
  title_id: null,
  game_image: '',
  banner_url: '',
  description: '',
  end_time: null,
  tournament_status: null,
  prize_amount: null,
  entry_fee_sats: null,
  reward_total_sats: null,
  pot_verified_balance_sats: null,
  sponsor_name: null,
  registration_opens_at: null,
  registration_closes_at: null,
};

const element = z.object(announcedEvent.shape);
const withId = z.object({ id: networkId });

/**
 * Reads the event feed. Skips and counts unreadable elements and duplicate IDs. `unread` has the IDs of skipped events,
 * which are not withdrawn.
 *
 * @param baseUrl base of relative picture URLs
 * @throws UnparseablePageError when it is not a list, has more than EVENTS_MAX events, or most elements are unreadable
 */
export function readEvents(text: string, { baseUrl = '' }: { baseUrl?: string }): EventsReading {
  const elements = elementsOf(text);
  if (elements.length > EVENTS_MAX) throw new UnparseablePageError(`it has more than ${EVENTS_MAX} events`);
  const ids = new Set<number>();
  const events = new Map<number, AnnouncedEvent>();
  for (const each of elements) {
    const id = idOf(each);
    if (id !== undefined) ids.add(id);
    const event = readEvent(each, baseUrl);
    if (event !== undefined && !events.has(event.id)) events.set(event.id, event);
  }
  const skipped = elements.length - events.size;
  if (skipped > events.size) throw new UnparseablePageError(`of ${elements.length} events ${skipped} can't be read`);
  return { events: [...events.values()], unread: [...ids].filter((id) => !events.has(id)), skipped };
}

function elementsOf(text: string): unknown[] {
  const value = parseFeed(text);
  if (!Array.isArray(value)) throw new UnparseablePageError('it is not a list');
  return value;
}

function idOf(value: unknown): number | undefined {
  return withId.safeParse(value).data?.id;
}

function readEvent(value: unknown, baseUrl: string): AnnouncedEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { data: event } = element.safeParse({ ...UNKNOWN, ...value });
  if (event === undefined) return undefined;
  const texts = Object.values(event).filter((field) => typeof field === 'string');
  if (!texts.every((field) => field.isWellFormed())) return undefined;
  const { game_image: image, banner_url: banner } = event;
  return { ...event, game_image: toAbsoluteUrl(image, baseUrl), banner_url: toAbsoluteUrl(banner, baseUrl) };
}
