import { formatTimestamp, operations, parseInstant, SLOT_SECONDS, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { FALL_SECONDS, FALL_SHARE, RECOVERED_SHARE, USERS_MIN } from '../../parts/outages.ts';
import { formatCount, time } from '../../parts/text.ts';

const { getNow, getOnlineSeries } = operations;

/** Operations that {@link networkNotice} asks. */
export const networkNoticeOperations = [getNow, getOnlineSeries] as const;

type Point = OperationResponse<typeof getOnlineSeries>[number];

/** A slot is published within this time. In seconds. */
const LATE_SECONDS = 3 * SLOT_SECONDS;

/** Tells readers who ask whether only they have a problem: counts are old, or users have left all at once. */
export async function networkNotice(data: PageData): Promise<Html | ''> {
  const [now, series] = await Promise.all([
    data.askPart(getNow),
    data.askPart(getOnlineSeries, {}, { days: 1, resolution: 'raw' }),
  ]);
  const slot = now?.slot ?? null;
  const fall = suddenFall(series ?? []);
  const texts = [
    slot !== null &&
      data.now - parseInstant(slot) > LATE_SECONDS &&
      html`<p>
        <b>No new counts since ${time(slot, 'exact')}.</b> The network’s site can not be read at the moment, or this
        site is behind: the numbers below are of that time.
      </p>`,
    fall !== undefined && fallText(fall),
  ].filter((text) => text !== false);
  return texts.length === 0 ? '' : html`<div class="note frame" id="network-notice">${texts}</div>`;
}

export interface Fall {
  readonly before: Point;
  readonly after: Point;
  readonly newest: Point;
}

function fallText({ before, after, newest }: Fall): Html {
  const percent = Math.round(100 * (1 - newest.online_count / before.online_count));
  return html`<p>
    <b>Players online fell from ${formatCount(before.online_count)} to ${formatCount(after.online_count)}</b> at
    ${time(after.recorded_at, 'exact')}${newest !== after && html`; now they are ${formatCount(newest.online_count)}`},
    ${percent} % fewer. The network itself seems to have a problem: it is not only you.
  </p>`;
}

/** The last sudden fall of users online from which they have not recovered. @param points ascending by time */
export function suddenFall(points: readonly Point[]): Fall | undefined {
  const newest = points.at(-1);
  if (newest === undefined) return undefined;
  let mostSince = 0;
  for (const [index, after] of [...points.entries()].reverse()) {
    mostSince = Math.max(mostSince, after.online_count);
    const earliest = formatTimestamp(parseInstant(after.recorded_at) - FALL_SECONDS);
    const before = points
      .slice(Math.max(0, index - FALL_SECONDS / SLOT_SECONDS), index)
      .find(
        ({ recorded_at, online_count }) =>
          recorded_at >= earliest &&
          online_count >= USERS_MIN &&
          after.online_count < FALL_SHARE * online_count &&
          mostSince < RECOVERED_SHARE * online_count,
      );
    if (before === undefined) continue;
    const isFallen = ({ online_count }: Point) => online_count < FALL_SHARE * before.online_count;
    return { before, after: points.slice(points.indexOf(before)).find(isFallen) ?? after, newest };
  }
  return undefined;
}
