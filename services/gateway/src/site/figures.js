/** The headline figures, their age, and notices about missing or late data. */

import { byId, setText } from './dom.js';
import { formatAge, formatCount, formatInstant } from './format.js';

/** @typedef {import('./api.js').Data} Data */

// Two slots, and the time it takes to publish one.
const LATE_SECONDS = 15 * 60;

/** @param {Partial<Data>} data @param {number} now */
export function showFigures({ online, lobbies, registered = [], games = [], summary }, now) {
  const [users, rooms] = [online?.at(-1), lobbies?.at(-1)];
  const [before, today] = registered.slice(-2);
  show('online', users?.count, summary && peak(summary.online, now));
  // A slot may lack only its lobbies: then the newest count is older than the page's snapshot.
  const older = users && rooms && rooms.at < users.at && `as of ${formatInstant(rooms.at, now)}`;
  show('lobbies', rooms?.count, older || (summary && peak(summary.lobbies, now)));
  const active = games.filter((game) => game.online > 0).length;
  show('active', games.length > 0 ? active : undefined, summary?.active ? `${summary.active} in 24 hours` : '');
  const more = (today ?? 0) - (before ?? Infinity);
  show('registered', registered.at(-1), more > 0 ? `+${formatCount(more)} since yesterday` : '');
}

/**
 * Shows ages beside the announced text, not in it, since they change each minute.
 * @param {number | undefined} newest slot of what is shown
 * @param {number} now
 * @param {string[]} failed parts that could not be loaded
 */
export function showAge(newest, now, failed) {
  const age = newest === undefined ? '' : `as of ${formatInstant(newest, now)}, ${formatAge(now - newest)}`;
  const late = newest !== undefined && now - newest > LATE_SECONDS;
  setText(byId('as-of'), age || (failed.length > 0 ? 'Not loaded' : 'No snapshots yet'));
  byId('notice').hidden = failed.length === 0 && !late;
  byId('notice-retry').hidden = failed.length === 0;
  const trouble = failed.length > 0 ? `Could not load: ${failed.join(', ')}. Trying again soon.` : '';
  setText(byId('notice-text'), trouble || (late ? 'New snapshots are not arriving.' : ''));
  setText(byId('notice-age'), age && `This page shows data ${age}.`);
}

/** @param {string} name @param {number | undefined} count @param {string | undefined} aside */
function show(name, count, aside = '') {
  setText(byId(`figure-${name}`), count === undefined ? '–' : formatCount(count));
  setText(byId(`aside-${name}`), aside);
}

/** @param {import('./api.js').Peak} peak @param {number} now */
const peak = ({ count, at }, now) => (at ? `24 h peak ${formatCount(count)} at ${formatInstant(at, now)}` : '');
