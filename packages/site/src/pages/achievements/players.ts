import { unlockList } from '../../parts/unlock-list.ts';
import { OFFSET_MAX, type operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { nameInput } from '../../parts/name-input.ts';
import { pager } from '../../parts/pager.ts';
import { empty } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { formatCount, playerLink } from '../../parts/text.ts';

export interface LeaderboardPart {
  /** Marked, in the middle of the page. */
  readonly around: string | undefined;
  readonly href: (offset: number) => string;
}

type Leaderboard = OperationResponse<typeof operations.getAchievementLeaderboard>;

/** Players by achievement score. @param board null: the user in `around` is not on it */
export function leaderboard(board: Leaderboard | null, { around, href }: LeaderboardPart): Html {
  const rows = board?.leaderboard ?? [];
  const list = table({
    id: 'player',
    rows,
    key: ({ username }) => username,
    caption: 'Players by achievement score',
    empty: 'Nobody has an achievement here',
    isMarked: ({ username }) => username.toLowerCase() === around?.toLowerCase(),
    isStacked: true,
    columns: [
      { heading: 'Rank', isNumber: true, cell: ({ rank }) => formatCount(rank) },
      { heading: 'Player', isHead: true, cell: ({ username }) => playerLink(username) },
      { heading: 'Points', isNumber: true, cell: ({ totalScore }) => formatCount(totalScore) },
      { heading: 'Achievements', isNumber: true, cell: ({ achievementCount }) => formatCount(achievementCount) },
    ],
  });
  return html`<div data-island="friends" data-friends="filter"></div>
    ${aroundForm(around)} ${board === null ? empty(`${around ?? ''} has no achievements yet`) : list}
    ${around !== undefined && html`<p class="more"><a href="${href(0)}">The whole leaderboard</a></p>`}
    ${board !== null && pagerOf(board, href, 'the leaderboard')}`;
}

function aroundForm(around = ''): Html {
  return html`<form class="filters" action="${links.achievements()}">
    <label
      >Find a player on it
      ${nameInput({ id: 'around', name: 'around', type: 'player', value: around, max: 32, isRequired: true })}
    </label>
    <button>Find</button>
  </form>`;
}

export function recentUnlocks(
  found: OperationResponse<typeof operations.listRecentUnlocks>,
  href: (offset: number) => string,
): Html {
  const list = unlockList(found.recent, 'Nothing unlocked here yet');
  return html`${list}${pagerOf(found, href, 'unlocks')}`;
}

interface MaybePage {
  readonly total?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

function pagerOf({ total, limit, offset }: MaybePage, href: (offset: number) => string, label: string): Html | '' {
  if (total === undefined || limit === undefined || offset === undefined) return '';
  return pager({ total, limit, offset, href, label, offsetMax: OFFSET_MAX });
}
