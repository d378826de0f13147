import { DAY_SECONDS, formatTimestamp, operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { changeList } from '../../parts/change-item.ts';
import { recordsOf, recordsOperations, type Records } from '../../parts/records.ts';
import { list } from '../../parts/list.ts';
import { empty, part, section } from '../../parts/part.ts';
import { achievementLink, formatCount, plural, time, type Titles } from '../../parts/text.ts';
import type { FoundPlayer } from '../../parts/find-player.ts';

const { listPlayerChanges } = operations;

export const recentChangesOperations = [listPlayerChanges, ...recordsOperations] as const;

type Changes = OperationResponse<typeof listPlayerChanges>;

/** Maximum of one request, and of the moves that the table of ranks shows. */
const DAY_CHANGES_MAX = 500;
const SHOWN = 12;
const EARLIER_SHOWN = 8;

export interface PlayerChanges {
  readonly since: string;
  /** The last 24 hours, newest first; undefined while unavailable. */
  readonly day: Changes | undefined;
  readonly latest: Changes | undefined;
  readonly records: Records;
}

const NONE: Changes = { changes: [], total: 0, limit: 0, offset: 0, hasMore: false, nextCursor: null };

export async function readChanges(player: string, data: PageData): Promise<PlayerChanges> {
  const since = formatTimestamp(data.now - DAY_SECONDS);
  const [day, latest] = await Promise.all([
    data.find(listPlayerChanges, { player }, { since, limit: DAY_CHANGES_MAX }),
    data.find(listPlayerChanges, { player }, { limit: SHOWN + EARLIER_SHOWN }),
  ]);
  // Not found: on no leaderboard.
  return {
    since,
    day: day ?? (day === null ? NONE : undefined),
    latest: latest ?? (latest === null ? NONE : undefined),
    records: await recordsOf([...shownOf(day), ...earlierOf(since, latest)], data),
  };
}

/** Whether the name is or was on a leaderboard; true while that is unknown. */
export function hasChanges({ latest }: PlayerChanges): boolean {
  return latest !== NONE;
}

/** Changes since yesterday, and before. */
export function changesSection(
  { user, playerName }: FoundPlayer,
  { since, day, latest, records }: PlayerChanges,
  titles: Titles,
): Html {
  const unlocks = user?.newUnlocks ?? [];
  return section(
    'changes',
    'Since yesterday',
    html`${part(day, (found) =>
      found.changes.length + unlocks.length === 0
        ? empty('Nothing has changed since yesterday')
        : html`${unlocks.length > 0 && list({ id: 'unlock', rows: unlocks, key: ({ key }) => key, item: unlock, empty: '' })}
          ${found.changes.length > 0 && changeList({ titles, changes: shownOf(found), records, empty: '', isOfOnePlayer: true })}
          ${found.total > SHOWN && html`<p class="hint">${formatCount(SHOWN)} of ${plural(found.total, 'change')} are shown.</p>`}`,
    )}
    ${earlier(earlierOf(since, latest), records, titles)}`,
    html`since ${time(since, 'exact')} · <a href="${links.changes({ player: playerName })}">All changes</a>`,
  );
}

function unlock({
  id,
  name: achievement,
  points,
  unlocked_at,
}: NonNullable<FoundPlayer['user']>['newUnlocks'][number]): Html {
  return html`Unlocked ${achievementLink(id, achievement)} <span class="tag">${plural(points, 'point')}</span>
    <p class="hint">${time(unlocked_at)}</p>`;
}

function shownOf(day: Changes | null | undefined): Changes['changes'] {
  return day?.changes.slice(0, SHOWN) ?? [];
}

function earlierOf(since: string, latest: Changes | null | undefined): Changes['changes'] {
  return latest?.changes.filter(({ changedAt }) => changedAt < since).slice(0, EARLIER_SHOWN) ?? [];
}

function earlier(changes: Changes['changes'], records: Records, titles: Titles): Html | '' {
  if (changes.length === 0) return '';
  return html`<h3>Before that</h3>
    ${changeList({ titles, changes, records, empty: '', isOfOnePlayer: true })}`;
}
