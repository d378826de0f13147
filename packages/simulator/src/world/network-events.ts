import { DAY_SECONDS, formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { eventMoney, eventTexts, type EventMoney } from './event-texts.ts';
import { eventTimes, type EventTimes } from './event-times.ts';
import { fraction, mix, pickIndex } from './hash.ts';
import type { TitleCatalog } from './title-catalog.ts';
import type { Title } from './title.ts';

const { floor, max, min } = Math;

const EVENT_INTERVAL_DAYS = 2;
const MAX_SHIFT_DAYS = 12;
const MIN_LEAD_DAYS = 15;
const MAX_LEAD_DAYS = 60;
const PAST_DAYS = 40;

const TOURNAMENT_SHARE = 0.4;
const WITHDRAWN_SHARE = 0.1;
const NO_GAME_SHARE = 0.1;

export interface NetworkEvent extends EventTimes, EventMoney {
  id: number;
  title: string;
  game_name: string;
  title_id: string | null;
  game_image: string;
  banner_url: string;
  description: string;
  item_kind: 'event' | 'tournament';
  tournament_status: string | null;
  signup_count: number;
  registration_opens_at: string | null;
  registration_closes_at: string | null;
}

/** Events of the last 40 and next 60 days, without withdrawn ones. ID, texts and times are constant; signups grow. */
export function announcedEvents(seed: number, catalog: TitleCatalog, slot: number): readonly NetworkEvent[] {
  const day = slot / DAY_SECONDS;
  const first = max(0, floor((day - PAST_DAYS - MAX_SHIFT_DAYS) / EVENT_INTERVAL_DAYS));
  const last = floor((day + MAX_LEAD_DAYS + MAX_SHIFT_DAYS) / EVENT_INTERVAL_DAYS);
  const numbers = Array.from({ length: max(0, last - first + 1) }, (_, index) => first + index);
  return numbers.flatMap((number) => eventAt(mix(seed, number), number, catalog, slot) ?? []);
}

function eventAt(hash: number, number: number, catalog: TitleCatalog, slot: number): NetworkEvent | undefined {
  const { times, startsAbout } = eventTimes(
    mix(hash, 1),
    number * EVENT_INTERVAL_DAYS + pickIndex(mix(hash, 2), EVENT_INTERVAL_DAYS),
  );
  const lead = (MIN_LEAD_DAYS + fraction(mix(hash, 3)) * (MAX_LEAD_DAYS - MIN_LEAD_DAYS)) * DAY_SECONDS;
  const announcedAt = startsAbout - lead;
  const withdrawnAt = fraction(mix(hash, 4)) < WITHDRAWN_SHARE ? startsAbout - lead * fraction(mix(hash, 5)) : Infinity;
  if (slot < announcedAt || slot >= withdrawnAt || slot >= startsAbout + PAST_DAYS * DAY_SECONDS) return undefined;
  const isTournament = fraction(mix(hash, 6)) < TOURNAMENT_SHARE;
  const signups = signupsAt(mix(hash, 7), (slot - announcedAt) / lead);
  const hasWindow = isTournament || fraction(mix(hash, 8)) < 0.3;
  return {
    id: number,
    ...eventTexts(mix(hash, 9), isTournament),
    ...gameFields(mix(hash, 10), gameOf(mix(hash, 11), catalog, announcedAt)),
    ...times,
    item_kind: isTournament ? 'tournament' : 'event',
    tournament_status: isTournament ? statusAt(slot, startsAbout) : null,
    signup_count: signups,
    ...eventMoney(mix(hash, 12), signups),
    registration_opens_at: hasWindow ? timestamp(announcedAt) : null,
    registration_closes_at: hasWindow ? timestamp(startsAbout - 3_600) : null,
  };
}

function gameOf(hash: number, catalog: TitleCatalog, announcedAt: number): Title | undefined {
  if (fraction(hash) < NO_GAME_SHARE) return undefined;
  const titles = catalog.titlesAt(floor(announcedAt / SLOT_SECONDS));
  return titles[pickIndex(mix(hash, 1), titles.length)]?.title;
}

function gameFields(
  hash: number,
  title: Title | undefined,
): Pick<NetworkEvent, 'game_name' | 'title_id' | 'game_image' | 'banner_url'> {
  const image = title === undefined ? '' : `/icons/${title.titleId}.png`;
  return {
    game_name: title?.name ?? '',
    title_id: title?.titleId ?? null,
    game_image: image,
    banner_url: fraction(hash) < 0.3 ? image : '',
  };
}

function signupsAt(hash: number, passed: number): number {
  const most = 4 + floor(140 * fraction(hash) ** 2);
  return floor(most * max(0, min(1, passed)) ** 1.5);
}

function statusAt(slot: number, startsAbout: number): string {
  if (slot < startsAbout - 3_600) return 'registration';
  if (slot < startsAbout) return 'closed';
  return slot < startsAbout + 4 * 3_600 ? 'running' : 'completed';
}

function timestamp(epochSeconds: number): string {
  return formatInstant(floor(epochSeconds)).slice(0, 19).replace('T', ' ');
}
