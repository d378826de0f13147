import { formatInstant, parseInstant, type EpochSeconds, type PublicEvent } from '@lobbystats/contracts';
import { dateText, UTC } from '../../dates.ts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { gameLink, name, plural, time, timeRange } from '../../parts/text.ts';

/** An event's game with a link to it, or its name alone while the game is unknown; undefined without a game. */
export function eventGame({ title_id, game_name }: PublicEvent, { titles }: PageData): Html | undefined {
  const isKnown = title_id !== null && titles.known(title_id) !== undefined;
  return isKnown || game_name !== '' ? gameLink(titles, title_id, game_name) : undefined;
}

/** `Free`, or the fee. */
export function entryText({ is_paid_event, entry_fee_sats }: PublicEvent): string {
  if (!is_paid_event) return 'Free';
  return entry_fee_sats === null ? 'Paid' : plural(entry_fee_sats, 'sat');
}

/** Undefined if there is no prize. A number alone is in sats, as all amounts of events are. */
export function prizeText({ has_prize, prize_amount }: PublicEvent): Html | string | undefined {
  if (!has_prize) return undefined;
  if (prize_amount === null || prize_amount === '') return 'Yes';
  return /^\d[\d.,\s]*$/.test(prize_amount) ? `${prize_amount} sats` : name(prize_amount);
}

/** The date on which an event begins, as a leaf of a calendar. With JavaScript it is that of the reader's zone. */
export function dateLeaf({ starts_at }: PublicEvent): Html {
  const instant = instantOf(starts_at);
  const [weekday, date, month] = dateText(Date.parse(instant), UTC).split(' ');
  return html`<p class="leaf" data-leaf="${instant}" aria-hidden="true">
    <span>${weekday}</span> <b>${date}</b> <span>${month}</span>
  </p>`;
}

/** Where the registration of an event that is not over stands; undefined without a window. */
export function registrationState(
  { registration_opens_at: opens, registration_closes_at: closes }: PublicEvent,
  now: EpochSeconds,
): Html | string | undefined {
  if (opens !== null && now < parseInstant(opens)) return html`registration from ${time(opens, 'exact')}`;
  if (closes === null) return undefined;
  return now < parseInstant(closes) ? html`registration until ${time(closes, 'exact')}` : 'registration closed';
}

/** Undefined if the network announces no window. */
export function registrationText({ registration_opens_at, registration_closes_at }: PublicEvent): Html | undefined {
  const [opens, closes] = [registration_opens_at, registration_closes_at];
  if (opens === null && closes === null) return undefined;
  if (closes === null) return html`from ${time(opens ?? '', 'exact')}`;
  return opens === null ? html`until ${time(closes, 'exact')}` : timeRange(opens, closes);
}

/** Start and end, UTC and local. With JavaScript, also how long it is until then. */
export function eventTime({ starts_at, ends_at }: PublicEvent, isOver: boolean): Html {
  const shown = html`<span>${ends_at === null ? time(starts_at, 'exact') : timeRange(starts_at, ends_at)}</span>`;
  if (isOver) return html`<p class="when">${shown}</p>`;
  return html`<p
    class="when"
    data-countdown
    data-starts="${instantOf(starts_at)}"
    data-ends="${ends_at === null ? '' : instantOf(ends_at)}"
  >
    ${shown}
    <b class="countdown js" data-island></b>
  </p>`;
}

function instantOf(timestamp: string): string {
  return formatInstant(parseInstant(timestamp));
}
