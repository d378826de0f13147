/** The games as data. All strings in them are untrusted. */

/** @typedef {ReturnType<typeof readGames>[number]} Game players are those in lobbies, image is an http(s) URL or '' */
/** @typedef {'name' | 'publisher' | 'online' | 'lobbies' | 'players'} Column */
/** @typedef {{ column: Column, descending: boolean }} Order */

const { compare } = new Intl.Collator('en', { numeric: true });

/** @param {Record<string, any>} body by game name */
export const readGames = (body) =>
  Object.entries(body).map(([key, game]) => ({
    key,
    name: String(game.name || key),
    titleId: String(game.titleId ?? ''),
    publisher: String(game.publisher ?? ''),
    image: /^https?:/i.test(game.image) ? String(game.image) : '',
    online: Number(game.online) || 0,
    lobbies: Number(game.activeLobbies) || 0,
    players: Number(game.activeLobbyPlayers) || 0,
    hosts: Array.from(game.lobbyHostNames ?? [], String),
  }));

/**
 * Reverses the order of the same column; another column starts with its default direction.
 * @param {Order} order
 * @param {Column} column
 */
export const nextOrder = (order, column) => ({
  column,
  descending: order.column === column ? !order.descending : column !== 'name' && column !== 'publisher',
});

/** In order; equals by name, then title ID. @param {Game[]} games @param {Order} order */
export function sortGames(games, { column, descending }) {
  const sign = descending ? -1 : 1;
  const compareColumn = (/** @type {Game} */ a, /** @type {Game} */ b) =>
    column === 'name' || column === 'publisher' ? compare(a[column], b[column]) : a[column] - b[column];
  return games.toSorted(
    (a, b) => sign * compareColumn(a, b) || compare(a.name, b.name) || compare(a.titleId, b.titleId),
  );
}

/** @param {Game} game @param {string} query */
export const matches = ({ name, publisher, titleId }, query) =>
  fold(`${name}\n${publisher}\n${titleId}`).includes(fold(query));

/** @param {string} text */
const fold = (text) => text.normalize('NFC').toLowerCase();
