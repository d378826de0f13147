import { DAY_SECONDS, formatDate, parseInstant } from '@lobbystats/contracts';
import { dateText, UTC } from '../../dates.ts';
import { html, raw, type Html } from '../../html.ts';
import { plural } from '../../parts/text.ts';

export interface Calendar {
  /** The first and the last day, included. */
  readonly from: string;
  readonly until: string;
  /** By day. */
  readonly counts: ReadonlyMap<string, number>;
  /** Shown by the mouse, by day. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A cell has the size that the style gives it. */
const [CELL, GAP] = [14, 2];
const STEP = CELL + GAP;
const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const MONDAY_OFFSET = 3;

/** A square for each day, darker with more; a column is a week from Monday on. A list beside it says the same. */
export function calendar({ from, until, counts, texts }: Calendar): Html {
  const first = dayNumber(from);
  const days = Array.from({ length: dayNumber(until) - first + 1 }, (_, index) => first + index);
  const weekOf = (number: number) => Math.floor((number + MONDAY_OFFSET) / DAYS_PER_WEEK);
  const most = Math.max(1, ...counts.values());
  const weeks = weekOf(days.at(-1) ?? first) - weekOf(first) + 1;
  const cells = days.map((number) => {
    const date = formatDate(number * DAY_SECONDS);
    const count = counts.get(date) ?? 0;
    const x = (weekOf(number) - weekOf(first)) * STEP;
    const y = ((number + MONDAY_OFFSET) % DAYS_PER_WEEK) * STEP;
    // No day with something looks like one without.
    const share = count === 0 ? 0 : 0.25 + 0.75 * (count / most);
    const text = texts.get(date);
    const shade = share > 0 && raw(` class="active" fill-opacity="${share.toFixed(2)}"`);
    return html`<rect x="${x}" y="${y}" ${shade}
      >${text !== undefined && html`<title>${dateText(Date.parse(date), UTC)}: ${text}</title>`}</rect
    >`;
  });
  const [width, height] = [weeks * STEP - GAP, DAYS_PER_WEEK * STEP - GAP];
  const active = days.filter((number) => counts.has(formatDate(number * DAY_SECONDS))).length;
  return html`<svg
    class="calendar"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
    role="img"
    aria-label="Calendar: something happened on ${plural(active, 'day')} of ${days.length}"
  >
    ${cells}
  </svg>`;
}

function dayNumber(date: string): number {
  return parseInstant(date) / DAY_SECONDS;
}
