import { backfillText, sourceContents, type OperationResponse, type operations } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { time } from './text.ts';

/** Renders that the past is still being read, and that the network does not answer or is not understood: readers of any page need it. */
export function statusStrips(status: OperationResponse<typeof operations.getStatus> | undefined): Html | '' {
  if (status === undefined) return '';
  const { isBackfilling, backfill, network, refusedSources } = status;
  return html`${
    network.since !== null &&
    !refusedSources.some(({ source }) => source === 'homepage') &&
    html`<aside class="strip" id="outage" aria-label="Outage">
      <p class="frame">The network has not answered since ${time(network.since, 'exact')}.</p>
    </aside>`
  }
  ${
    refusedSources.length > 0 &&
    html`<aside class="strip" id="refused" aria-label="Pages that are not understood">
      <div class="frame">
        ${refusedSources.map(
          ({ source, since, reason }) =>
            html`<p>The network’s ${PAGES[source]} can’t be read since ${time(since, 'exact')}: ${reason}</p>`,
        )}
      </div>
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

const PAGES = { ...sourceContents, homepage: 'homepage' };
