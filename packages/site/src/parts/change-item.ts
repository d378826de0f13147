import type { Change } from '@lobbystats/contracts';
import { changeSummary } from './change-text.ts';
import { html, type Html } from '../html.ts';
import { list } from './list.ts';
import { beatenText, type Records } from './records.ts';
import { table } from './table.ts';
import { boardLink, gameLink, name, playerLink, time, type Titles } from './text.ts';

interface Changes {
  readonly titles: Titles;
  readonly changes: readonly Change[];
  readonly records: Records;
  readonly empty: string;
}

/** Changes of leaderboards, where there is little room. @param isOfOnePlayer whose page it is: the name is left out */
export function changeList({
  titles,
  changes,
  records,
  empty,
  isOfOnePlayer = false,
}: Changes & { isOfOnePlayer?: boolean }): Html {
  return list({
    id: 'change',
    rows: changes,
    key: ({ id }) => id,
    empty,
    item: (change) =>
      html`${!isOfOnePlayer && html`${playerLink(change.playerName)} · `}${boardLink(titles, change)}
        ${tag(change, records)}
        <p class="hint">${gameLink(titles, change.titleId, change.gameName)}</p>
        <p class="hint">${values(change, records)} · ${time(change.changedAt)}</p>`,
  });
}

/** The same as a table. */
export function changeTable({ titles, changes, records, empty, caption }: Changes & { caption: string }): Html {
  return table<Change>({
    id: 'change',
    rows: changes,
    key: ({ id }) => id,
    caption,
    empty,
    isStacked: true,
    columns: [
      { heading: 'Player', isHead: true, cell: ({ playerName }) => playerLink(playerName) },
      {
        heading: 'Leaderboard',
        cell: (change) =>
          html`${boardLink(titles, change)}
            <p class="hint">${gameLink(titles, change.titleId, change.gameName)}</p>`,
      },
      {
        heading: 'What changed',
        cell: (change) =>
          html`${values(change, records)} ${tag(change, records)}
            <p class="hint">${time(change.changedAt)}</p>`,
      },
    ],
  });
}

/** Ranks and ratings before and after; of a removed entry, those before; of a record, whom it beat. */
function values(change: Change, records: Records): Html {
  const beaten = beatenText(change, records.get(change.id));
  return html`${change.type === 'removed' && 'Before: '}${name(changeSummary(change))}${beaten !== '' && html` ${beaten}.`}`;
}

const TAGS = { new: 'new entry', removed: 'removed', updated: '' } as const;

function tag(change: Change, records: Records): Html | '' {
  const text = records.has(change.id) ? 'record' : TAGS[change.type];
  return text === '' ? '' : html`<span class="tag">${text}</span>`;
}
