import type { operations, OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { rowIds } from '../../parts/table.ts';
import { playerLink } from '../../parts/text.ts';

type Board = OperationResponse<typeof operations.getLeaderboard>;

const PLACES = 3;

/** The first three entries with medals; those that share a rank have the same one. Nothing of an empty board. */
export function podium(board: Board | undefined | null): Html | '' {
  const first = board?.entries.slice(0, PLACES) ?? [];
  if (first.length === 0) return '';
  const ids = rowIds(
    'podium',
    first.map(({ name }) => name),
  );
  return html`<ol class="podium" aria-label="The first three">
    ${first.map(
      ({ rank, name, timeFormatted, rating }, index) =>
        html`<li id="${ids[index]}" class="medal-${rank}">
          <span class="medal"><span class="hidden">Rank </span>${rank}</span>
          ${playerLink(name)}
          <b>${timeFormatted || rating}</b>
        </li>`,
    )}
  </ol>`;
}
