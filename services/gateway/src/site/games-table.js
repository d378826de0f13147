/** The games table. Rows are reused and moved, so that focus, open hosts and icons survive a refresh. */

import { byId, setText } from './dom.js';
import { formatCount, plural } from './format.js';
import { createRow } from './game-row.js';
import { matches, nextOrder, sortGames } from './games.js';

/** @typedef {import('./games.js').Game} Game */

/** @returns {(games: Game[]) => void} */
export function createGamesTable() {
  const body = byId('games-rows');
  const filter = /** @type {HTMLInputElement} */ (byId('games-filter'));
  const rows = /** @type {Map<string, ReturnType<typeof createRow>>} */ (new Map());
  let games = /** @type {Game[]} */ ([]);
  let order = /** @type {import('./games.js').Order} */ ({ column: 'online', descending: true });

  function sortRows() {
    const focused = document.activeElement;
    let next = body.firstElementChild;
    for (const { key } of sortGames(games, order)) {
      const element = rows.get(key)?.element ?? null;
      if (element === next) next = element?.nextElementSibling ?? null;
      else if (element) body.insertBefore(element, next);
    }
    // A moved element loses the focus.
    if (focused instanceof HTMLElement && body.contains(focused)) focused.focus({ preventScroll: true });
  }

  function filterRows() {
    const query = filter.value.trim();
    const found = new Set(games.filter((game) => matches(game, query)).map(({ key }) => key));
    for (const [key, { element }] of rows) element.hidden = !found.has(key);
    const all = plural(games.length, 'game');
    setText(byId('games-count'), query === '' ? all : `${formatCount(found.size)} of ${all}`);
    byId('games-empty').hidden = found.size > 0;
    setText(byId('games-empty'), games.length > 0 ? `No game matches “${query}”` : 'No games yet');
  }

  filter.addEventListener('input', filterRows);
  byId('games-table').addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('button');
    if (!button) return;
    order = nextOrder(order, /** @type {import('./games.js').Column} */ (button.value));
    body.parentElement?.querySelector('[aria-sort]')?.removeAttribute('aria-sort');
    button.parentElement?.setAttribute('aria-sort', order.descending ? 'descending' : 'ascending');
    sortRows();
  });

  return (latest) => {
    games = latest;
    const gone = new Set(rows.keys());
    for (const game of games) {
      const row = rows.get(game.key) ?? createRow();
      rows.set(game.key, row);
      row.show(game);
      gone.delete(game.key);
    }
    for (const key of gone) {
      rows.get(key)?.element.remove();
      rows.delete(key);
    }
    sortRows();
    filterRows();
  };
}
