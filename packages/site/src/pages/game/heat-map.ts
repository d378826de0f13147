import { weekdays, operations, type OperationResponse } from '@lobbystats/contracts';
import { heatLevel, heatText, weekdayName, weekHourText } from '../../plots/heat-map-texts.ts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { empty, part } from '../../parts/part.ts';
import { formatCount, formatMean } from '../../parts/text.ts';

const { getActivity } = operations;

type Activity = OperationResponse<typeof getActivity>;
type Hour = Activity['hours'][number];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

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
