import { DAY_SECONDS, formatTimestamp, operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { changeList } from '../../parts/change-item.ts';
import { list } from '../../parts/list.ts';
import { empty, part, section } from '../../parts/part.ts';
import { achievementLink, formatCount, plural, time, type Titles } from '../../parts/text.ts';
import type { FoundPlayer } from './find-player.ts';

const { listPlayerChanges } = operations;

export const recentChangesOperations = [listPlayerChanges] as const;

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
  };
}

/** Whether the name is or was on a leaderboard; true while that is unknown. */
export function hasChanges({ latest }: PlayerChanges): boolean {
  return latest !== NONE;
}

/** Changes since yesterday, and before. */
export function changesSection(
  { user, playerName }: FoundPlayer,
  { since, day, latest }: PlayerChanges,
  titles: Titles,
): Html {
  const unlocks = user?.newUnlocks ?? [];
  return section(
    'changes',
    'Since yesterday',
    html`${part(day, ({ changes, total }) =>
      changes.length + unlocks.length === 0
        ? empty('Nothing has changed since yesterday')
        : html`${unlocks.length > 0 && list({ id: 'unlock', rows: unlocks, key: ({ key }) => key, item: unlock, empty: '' })}
          ${changes.length > 0 && changeList({ titles, changes: changes.slice(0, SHOWN), empty: '', isOfOnePlayer: true })}
          ${total > SHOWN && html`<p class="hint">${formatCount(SHOWN)} of ${plural(total, 'change')} are shown.</p>`}`,
    )}
    ${earlier(since, latest, titles)}`,
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

function earlier(since: string, latest: Changes | undefined, titles: Titles): Html | '' {
  const before = latest?.changes.filter(({ changedAt }) => changedAt < since).slice(0, EARLIER_SHOWN) ?? [];
  if (before.length === 0) return '';
  return html`<h3>Before that</h3>
    ${changeList({ titles, changes: before, empty: '', isOfOnePlayer: true })}`;
}
