import type { Change } from '@lobbystats/contracts';
import { changeSummary } from '../../../feeds/change-text.ts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { table } from '../../parts/table.ts';
import { gameLink, name, playerLink, time } from '../../parts/text.ts';

/** Whether a change set a record: its entry is rank 1. */
export function isRecord({ newRank }: Change): boolean {
  return newRank === 1;
}

export function changeTable(changes: readonly Change[], caption: string, empty: string): Html {
  return table<Change>({
    caption,
    empty,
    rows: changes,
    columns: [
      { heading: 'Player', isHead: true, cell: ({ playerName }) => playerLink(playerName) },
      {
        heading: 'Leaderboard',
        cell: ({ titleId, gameName, leaderboardId, leaderboardName }) =>
          html`<a href="${links.leaderboard(titleId, leaderboardId)}"
              >${name(leaderboardName || `Leaderboard ${leaderboardId}`)}</a
            >
            <p class="hint">${gameLink(titleId, gameName)}</p>`,
      },
      {
        heading: 'What changed',
        cell: (change) =>
          html`${name(changeSummary(change))} ${mark(change)}
            <p class="hint">${time(change.changedAt)}</p>`,
      },
    ],
  });
}

function mark(change: Change): Html | '' {
  const texts = { new: 'new entry', removed: 'removed', updated: '' };
  const text = isRecord(change) ? 'record' : texts[change.type];
  return text === '' ? '' : html`<span class="tag">${text}</span>`;
}
