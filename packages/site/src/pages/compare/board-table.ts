import { OFFSET_MAX } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { distanceOf } from '../../parts/distance.ts';
import type { FoundPlayer } from '../../parts/find-player.ts';
import { pager } from '../../parts/pager.ts';
import { empty, part, section } from '../../parts/part.ts';
import { boardLink, formatCount, gameLink, name, plural, type Titles } from '../../parts/text.ts';
import type { CommonBoard, Entry } from './common-boards.ts';
import { namesOf } from './totals.ts';
import { versusTable, type Pair } from './versus.ts';

const PAGE_SIZE = 25;

interface BoardsPage {
  readonly offset: number;
  readonly href: (offset: number) => string;
}

/** The common leaderboards with both ranks and ratings, and how far they are apart. @param boards undefined: unavailable */
export function boardsSection(
  players: Pair<FoundPlayer>,
  boards: readonly CommonBoard[] | undefined,
  { offset, href }: BoardsPage,
  titles: Titles,
): Html {
  const content = part(boards, (all) => {
    if (all.length === 0) return empty('No leaderboard has both');
    const rows = all.slice(offset, offset + PAGE_SIZE).map((board) => ({
      key: `${board.titleId} ${board.leaderboardId}`,
      head: boardText(board, titles),
      cells: [rankText(board.entries[0]), rankText(board.entries[1])] as const,
      ahead: board.ahead,
    }));
    return html`${versusTable({ id: 'board', caption: 'Common leaderboards', heading: 'Leaderboard', names: namesOf(players), rows })}
    ${pager({ total: all.length, limit: PAGE_SIZE, offset, href, label: 'leaderboards', offsetMax: OFFSET_MAX })}`;
  });
  return section('boards', 'Common leaderboards', content, boards && plural(boards.length, 'leaderboard'));
}

function boardText(board: CommonBoard, titles: Titles): Html {
  const [a, b] = board.entries;
  const apart = distanceOf(a, b);
  return html`${boardLink(titles, board)}
    <p class="hint">
      ${gameLink(titles, board.titleId, board.gameName)}${apart !== undefined && ` · ${apart} apart`}
    </p>`;
}

function rankText({ rank, isTime, timeFormatted, rating }: Entry): Html {
  return html`${formatCount(rank)} <span class="hint">${name(isTime ? timeFormatted : rating)}</span>`;
}
