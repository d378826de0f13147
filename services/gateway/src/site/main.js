/** The start page: connects data and views. */

import { loadAll, readTime } from './api.js';
import { createCharts } from './charts.js';
import { byId, setText } from './dom.js';
import { showAge, showFigures } from './figures.js';
import { createGamesTable } from './games-table.js';
import { followSlots } from './live.js';
import { startRefresher } from './refresher.js';

const showCharts = createCharts();
const showGames = createGamesTable();
/** A part that fails to load keeps its last data. @type {Partial<import('./api.js').Data>} */
const data = {};
/** @type {string[]} */
let failed = [];
/** Slot of the games, which remain after a day without snapshots, unlike the series. @type {number | undefined} */
let gamesAt;
let clockOffset = 0;

async function refresh() {
  const answer = await loadAll();
  Object.assign(data, answer.data);
  failed = answer.failed;
  clockOffset = answer.clockOffset ?? clockOffset;
  gamesAt = answer.gamesAt ?? gamesAt;
  showCounts();
  if (data.games) showGames(data.games);
  showExample();
  // The stream holds a connection, so it opens after the first load.
  if (byId('main').dataset['state'] !== 'ready') followSlots(onSlot);
  byId('main').dataset['state'] = 'ready';
  return answer;
}

/** @param {import('./live.js').Slot | undefined} slot */
function onSlot(slot) {
  if (slot) addSlot(slot);
  refresher.soon();
}

function showCounts() {
  showFigures(data, now());
  if (data.online ?? data.lobbies) showCharts(data.online ?? [], data.lobbies ?? [], now());
  showAges();
}

/** Shows the two counts of a new snapshot at once. @param {import('./live.js').Slot} slot */
function addSlot({ slot, online, lobbies }) {
  const at = readTime(slot);
  for (const [series, count] of /** @type {const} */ ([
    [data.online, online],
    [data.lobbies, lobbies],
  ])) {
    if (at !== undefined && count !== null && at > (series?.at(-1)?.at ?? at)) series?.push({ at, count });
  }
  showCounts();
}

function showAges() {
  showAge(data.online?.at(-1)?.at ?? gamesAt, now(), failed);
}

function showExample() {
  const game = data.games?.find(({ online, titleId }) => online > 0 && /^[\da-f]{8}$/i.test(titleId));
  if (game === undefined) return;
  setText(byId('example-link'), `/api/title/${game.titleId}`);
  byId('example-link').setAttribute('href', `/api/title/${game.titleId}`);
  setText(byId('example-name'), game.name);
  byId('example').hidden = false;
}

const now = () => Date.now() / 1000 + clockOffset;

setText(byId('network-name'), `· Network: ${document.documentElement.dataset['network']}`);
const refresher = startRefresher(refresh);
byId('notice-retry').addEventListener('click', refresher.now);
setInterval(() => byId('main').dataset['state'] === 'ready' && showAges(), 15_000);
