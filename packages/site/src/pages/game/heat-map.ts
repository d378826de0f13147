import { weekdays, operations, slotOf, type EpochSeconds, type OperationResponse } from '@lobbystats/contracts';
import { eveningText, heatLevel, heatText, weekdayName, weekHourOf, weekHourText } from '../../plots/heat-map-texts.ts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { empty, part } from '../../parts/part.ts';
import { formatCount, formatMean } from '../../parts/text.ts';

const { getActivity } = operations;

type Activity = OperationResponse<typeof getActivity>;
type Hour = Activity['hours'][number];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A sentence on the coming evening; nothing if its hours are not known. */
export async function tonight(titleId: string, data: PageData): Promise<Html | ''> {
  const activity = await data.askPart(getActivity, { titleId });
  const text = activity === undefined ? '' : textOfEvening(activity, data.now);
  return text === '' ? '' : html`<p id="tonight" class="card"><b>${text}</b> <a href="#hours">When is it busy?</a></p>`;
}

function textOfEvening({ hours }: Activity, now: EpochSeconds): string {
  const averages: number[] = [];
  for (const { weekday, hour, average_online } of hours)
    averages[24 * weekdays.indexOf(weekday) + hour] = average_online;
  return eveningText(averages, weekHourOf(slotOf(now) * 1000), ' UTC');
}

/** Users online by weekday and hour: a sentence and a shaded table. */
export async function busyHours(titleId: string, data: PageData): Promise<Html> {
  return part(await data.askPart(getActivity, { titleId }), heatMap);
}

function heatMap({ days, hours }: Activity): Html {
  const busiest = hours.reduce<Hour | undefined>(
    (most, hour) => (most === undefined || hour.average_online > most.average_online ? hour : most),
    undefined,
  );
  if (busiest === undefined || busiest.peak_online === 0) return empty(`Nobody was online in the last ${days} days`);
  const byTime = new Map(hours.map((hour) => [`${hour.weekday} ${hour.hour}`, hour.average_online]));
  const caption = `Users online by weekday and hour, average of the last ${days} days`;
  const weekHour = 24 * weekdays.indexOf(busiest.weekday) + busiest.hour;
  return html`<p id="busiest-hour">
      Busiest on
      <span data-week-hour="${weekHour}">${weekHourText(weekHour)} UTC</span>, with an average of
      ${formatMean(busiest.average_online)} and a peak of ${formatCount(busiest.peak_online)} users online.
    </p>
    <div class="table" role="region" aria-label="${caption}" tabindex="0">
      <table class="heat">
        <caption class="hint">
          ${caption} (<span data-zone>UTC</span
          >)
        </caption>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            ${HOURS.map((hour) => html`<th scope="col"><span>${hour}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${weekdays.map(
            (weekday, day) =>
              html`<tr id="hours-${weekday}">
                <th scope="row"><abbr title="${weekdayName(day)}">${weekdayName(day).slice(0, 3)}</abbr></th>
                ${HOURS.map((hour) => cell(byTime.get(`${weekday} ${hour}`), busiest.average_online))}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
    <p id="heat-readout" class="hint js" aria-live="polite">Point at an hour, tap it, or move with the arrow keys.</p>`;
}

/** Undefined: an hour without snapshots. */
function cell(mean: number | undefined, most: number): Html {
  if (mean === undefined) return html`<td><span>–</span></td>`;
  return html`<td class="${heatLevel(mean, most)}">
    <span>${heatText(mean)}</span>
  </td>`;
}
