/** A row of the games table. Its texts are untrusted: they become text nodes, never markup. */

import { html, setText } from './dom.js';
import { formatCount, plural } from './format.js';

/** @typedef {import('./games.js').Game} Game */

/** @returns {{ element: HTMLElement, show: (game: Game) => void }} */
export function createRow() {
  const icon = html('span', { class: 'icon', 'aria-hidden': 'true' });
  const name = html('bdi');
  const publisher = html('bdi');
  const counts = /** @type {const} */ (['online', 'lobbies', 'players']).map((field) => ({
    field,
    cell: cell(`number ${field}`),
  }));
  const summary = html('summary');
  const list = html('ul');
  const details = html('details', {}, summary, list);
  const heading = html('th', { role: 'rowheader', scope: 'row', class: 'name' }, icon, name);
  const cells = [cell('publisher', publisher), ...counts.map((count) => count.cell), cell('hosts', details)];
  const element = html('tr', { role: 'row' }, heading, ...cells);
  let image = /** @type {string | undefined} */ (undefined);
  let listed = '';
  return {
    element,
    show(game) {
      element.classList.toggle('idle', game.online === 0);
      setText(name, game.name);
      setText(publisher, game.publisher);
      for (const { field, cell } of counts) {
        setText(cell, formatCount(game[field]));
        cell.classList.toggle('zero', game[field] === 0);
      }
      if (image !== game.image) showIcon(icon, game);
      image = game.image;
      details.hidden = game.hosts.length === 0;
      setText(summary, plural(game.hosts.length, 'host'));
      summary.ariaLabel = `${summary.textContent} of ${game.name}`;
      if (listed === (listed = JSON.stringify(game.hosts))) return;
      list.replaceChildren(...game.hosts.map((host) => html('li', {}, html('bdi', {}, host))));
    },
  };
}

/** @param {string} className @param {Node[]} children */
const cell = (className, ...children) => html('td', { role: 'cell', class: className }, ...children);

/** @param {Element} icon @param {Game} game */
function showIcon(icon, { name, image }) {
  const fallBack = () => icon.replaceChildren(/[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '?');
  if (image === '') return fallBack();
  const picture = html('img', { alt: '', width: '32', height: '32', loading: 'lazy', referrerpolicy: 'no-referrer' });
  picture.addEventListener('error', fallBack);
  picture.src = image;
  icon.replaceChildren(picture);
}
