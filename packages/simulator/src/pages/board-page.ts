import { DAY_SECONDS } from '@lobbystats/contracts';
import { hashText, mix } from '../world/hash.ts';
import type { World } from '../world/world.ts';
import { boardColumns } from './board-columns.ts';
import { escapeHtml, layout, htmlPage, type Page } from './page.ts';

const ROWS_PER_PAGE = 100;

export interface BoardPageQuery {
  titleId: string;
  boardId: number;
  page: number;
  instantQuery: string;
}

export function boardPage(
  world: World,
  slot: number,
  { titleId, boardId, page, instantQuery }: BoardPageQuery,
): Page | undefined {
  const board = world.board(slot, titleId, boardId);
  if (board === undefined) return undefined;
  const pages = Math.max(1, Math.ceil(board.entries.length / ROWS_PER_PAGE));
  if (page > pages) return undefined;
  const columns = boardColumns(board, Math.floor(slot / DAY_SECONDS));
  const rows = board.entries
    .slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)
    .map((entry) => `<tr>${columns.map((column) => column.cell(entry)).join('')}`);
  const address = `/games/${titleId}/leaderboards/${boardId}`;
  const variant = mix(hashText(titleId), boardId);
  const content = `<h1>${escapeHtml(board.name)}</h1>
<p><a href="/games/${titleId}">Back to the game</a>
<table class="table leaderboard-help"><tr><th>Rank<th>Name<th>Score<tr><td>0<td>This is how a row reads<td>0</table>
<table class="${variant % 3 === 0 ? 'table table-sm leaderboard' : 'table leaderboard'}"${variant % 2 === 0 ? ' id=board' : ''}>
<thead><tr>${columns.map(({ head }) => `<th>${head}</th>`).join('')}</tr></thead>
<tbody>
${rows.length === 0 ? `<tr><td colspan=${columns.length}>No records yet.` : rows.join('\n')}
</tbody>
</table>
<p class=pages>${links(page, pages, (other) => escapeHtml(`${address}?page=${other}${instantQuery}`))}
<table class="table table-striped"><tr><th>Rank<th>Name<th>Time<tr><td>1<td>Player of the week<td>00:00.001</table>`;
  return htmlPage(200, layout(board.name, content));
}

function links(page: number, pages: number, address: (page: number) => string): string {
  const previous = page > 1 ? `<a rel="prev" href="${address(page - 1)}">&laquo;</a> ` : '';
  const next = page < pages ? ` <a href="${address(page + 1)}" rel=next>&raquo;</a>` : '';
  const last = page < pages ? ` <a rel="last" href="${address(pages)}">Last</a>` : '';
  return `${previous}Page ${page} of ${pages}${next}${last}`;
}
