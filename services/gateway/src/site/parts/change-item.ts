import type { Change } from '@lobbystats/contracts';
import { changeSummary } from '../../feeds/change-text.ts';
import { html, type Html } from '../html.ts';
import { links } from '../links.ts';
import { list } from './list.ts';
import { table } from './table.ts';
import { gameLink, name, playerLink, time } from './text.ts';

/** Whether a change set a record: its entry is rank 1. */
export function isRecord({ newRank }: Change): boolean {
  return newRank === 1;
}

interface Changes {
  readonly changes: readonly Change[];
  readonly empty: string;
}

/** Changes of leaderboards, where there is little room. @param isOfOnePlayer whose page it is: the name is left out */
export function changeList({ changes, empty, isOfOnePlayer = false }: Changes & { isOfOnePlayer?: boolean }): Html {
  return list({
    id: 'change',
    rows: changes,
    key: ({ id }) => id,
    empty,
    item: (change) =>
      html`${!isOfOnePlayer && html`${playerLink(change.playerName)} · `}${boardLink(change)} ${tag(change)}
        <p class="hint">${gameLink(change.titleId, change.gameName)}</p>
        <p class="hint">${values(change)} · ${time(change.changedAt)}</p>`,
  });
}

/** The same as a table. */
export function changeTable({ changes, empty, caption }: Changes & { caption: string }): Html {
  return table<Change>({
    id: 'change',
    rows: changes,
    key: ({ id }) => id,
    caption,
    empty,
    columns: [
      { heading: 'Player', isHead: true, cell: ({ playerName }) => playerLink(playerName) },
      {
        heading: 'Leaderboard',
        cell: (change) =>
          html`${boardLink(change)}
            <p class="hint">${gameLink(change.titleId, change.gameName)}</p>`,
      },
      {
        heading: 'What changed',
        cell: (change) =>
          html`${values(change)} ${tag(change)}
            <p class="hint">${time(change.changedAt)}</p>`,
      },
    ],
  });
}

function boardLink({ titleId, leaderboardId, leaderboardName }: Change): Html {
  return html`<a href="${links.leaderboard(titleId, leaderboardId)}"
    >${name(leaderboardName || `Leaderboard ${leaderboardId}`)}</a
  >`;
}

/** Ranks and ratings before and after; of a removed entry, those before. */
function values(change: Change): Html {
  return html`${change.type === 'removed' && 'Before: '}${name(changeSummary(change))}`;
}

const TAGS = { new: 'new entry', removed: 'removed', updated: '' } as const;

function tag(change: Change): Html | '' {
  const text = isRecord(change) ? 'record' : TAGS[change.type];
  return text === '' ? '' : html`<span class="tag">${text}</span>`;
}
