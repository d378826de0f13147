import { formatInstant, parseInstant, type EpochSeconds } from '@lobbystats/contracts';
import { dateText, endText, instantText, shortDate, UTC } from '../dates.ts';
import { avatarOf } from '../drawn-picture.ts';
import { html, type Html } from '../html.ts';
import { links } from '../links.ts';
import type { PageData } from '../page.ts';

const counts = new Intl.NumberFormat('en');
const means = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat('en', { signDisplay: 'exceptZero', maximumFractionDigits: 1 });

/** `1,234`; a dash for null. */
export function formatCount(count: number | null): string {
  return count === null ? '–' : counts.format(count);
}

/** One decimal; a dash for null. */
export function formatMean(mean: number | null): string {
  return mean === null ? '–' : means.format(mean);
}

/** `+3`, `−2`, `0`; a dash for null. */
export function formatChange(change: number | null): string {
  return change === null ? '–' : signed.format(change).replace('-', '−');
}

/** {@link formatChange} in the color of its direction. */
export function change(value: number | null): Html {
  const text = formatChange(value);
  const direction = text.startsWith('+') ? 'up' : text.startsWith('−') ? 'down' : '';
  return html`<span class="${direction}">${text}</span>`;
}

/** `1 game`, `2 games`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/**
 * `Sat 31 Jan 2026, 18:05 UTC`; of the page's year, without it; else without the weekday. With JavaScript it is in the reader's time, if
 * they have not chosen UTC, and within a day from now how long ago it was, unless the form is `exact`.
 *
 * @param timestamp as in responses
 */
export function time(timestamp: string, form: 'relative' | 'exact' = 'relative'): Html {
  const instant = parseInstant(timestamp);
  return html`<time datetime="${formatInstant(instant)}" data-time="${form}"
    >${instantText(instant * 1000, UTC)}</time
  >`;
}

/** `Sat 31 Jan, 18:00 to 19:00 UTC`, with the times as {@link time} has the exact ones. @param from as in responses, like `to` */
export function timeRange(from: string, to: string): Html {
  const [begin, end] = [parseInstant(from), parseInstant(to)];
  const [beginMs, endMs] = [begin * 1000, end * 1000];
  return html`<time datetime="${formatInstant(begin)}" data-time="begin"
      >${instantText(beginMs, { ...UTC, suffix: '' })}</time
    >
    to
    <time datetime="${formatInstant(end)}" data-time="exact" data-begin="${beginMs}"
      >${endText(beginMs, endMs, UTC)}</time
    >`;
}

/** A UTC day, `Sat 31 Jan 2026`; shortened as that of {@link time}. */
export function day(date: string): Html {
  return html`<time datetime="${date}">${dateText(Date.parse(date), UTC)}</time>`;
}

/** Shortens the dates of a page by the year of an instant. @param page markup with {@link time} and {@link day} */
export function shortDates(page: string, now: EpochSeconds): string {
  const year = new Date(now * 1000).getUTCFullYear();
  return page.replaceAll(/(?<=<time [^>]*>)\w{3} \d+ \w{3} \d{4}/g, (date) => shortDate(date, year));
}

/** A name in its own writing direction. */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Known games; only they have pages. */
export type Titles = Pick<PageData['titles'], 'known'>;

/** A game's name, or its title ID while it is unknown. */
export function gameNameOf(titles: Titles, titleId: string): string {
  const { name: current = '' } = titles.known(titleId) ?? {};
  return current === '' ? titleId : current;
}

/** Decoration beside a game's name, of one line's height. Browsers fetch it when it comes into view. */
function gameIcon(titleId: string): Html {
  return html`<img class="icon" src="${links.icon(titleId)}" alt="" width="20" height="20" loading="lazy" />`;
}

/**
 * A game's icon and current name with a link; the other name alone while the game is unknown or delisted.
 * @param hasIcon false beside a larger picture of the game
 */
export function gameLink(titles: Titles, titleId: string | null, otherwise = '', hasIcon = true): Html {
  if (titleId === null || titles.known(titleId) === undefined) return name(otherwise || (titleId ?? ''));
  return html`<a href="${links.game(titleId)}">${hasIcon && gameIcon(titleId)}${name(gameNameOf(titles, titleId))}</a>`;
}

interface Board {
  readonly titleId: string;
  readonly leaderboardId: number;
  readonly leaderboardName: string;
}

/** A leaderboard, with a link while its game is known. @param query of the leaderboard's page */
export function boardLink(
  titles: Titles,
  { titleId, leaderboardId, leaderboardName }: Board,
  query: Parameters<typeof links.leaderboard>[2] = {},
): Html {
  const text = name(leaderboardName || `Leaderboard ${leaderboardId}`);
  if (titles.known(titleId) === undefined) return text;
  return html`<a href="${links.leaderboard(titleId, leaderboardId, query)}">${text}</a>`;
}

/** A player's avatar and name with a link. @param href default: of the player's page */
export function playerLink(playerName: string, href = links.player(playerName)): Html {
  const { className, initials } = avatarOf(playerName);
  return html`<a href="${href}" class="${className}" data-i="${initials}">${name(playerName)}</a>`;
}

export function achievementLink(achievementId: number, text: string): Html {
  return html`<a href="${links.achievement(achievementId)}">${name(text)}</a>`;
}
