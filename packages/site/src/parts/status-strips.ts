import { backfillText, type OperationResponse, type operations } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { time } from './text.ts';

/** Renders that the past is still being read, and that the network does not answer: readers of any page need both. */
export function statusStrips(status: OperationResponse<typeof operations.getStatus> | undefined): Html | '' {
  if (status === undefined) return '';
  const { isBackfilling, backfill, network } = status;
  return html`${
    network.since !== null &&
    html`<aside class="strip" id="outage" aria-label="Outage">
      <p class="frame">The network has not answered since ${time(network.since, 'exact')}.</p>
    </aside>`
  }
  ${
    isBackfilling &&
    html`<aside class="strip" id="backfill" aria-label="Backfill">
      <div class="frame">
        <p>${backfillText(backfill) ?? 'Reading the past'}</p>
        ${backfill.map(
          ({ part, done, total }) => html`<progress value="${done}" max="${total}" aria-label="${part}"></progress>`,
        )}
      </div>
    </aside>`
  }`;
}
