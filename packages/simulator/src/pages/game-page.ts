import type { BoardName } from '../world/board-names.ts';
import { hashText } from '../world/hash.ts';
import type { Match } from '../world/match-schedule.ts';
import type { Title } from '../world/title.ts';
import type { World } from '../world/world.ts';
import { escapeHtml, layout, htmlPage, type Page } from './page.ts';

export function gamePage(world: World, slot: number, titleId: string): Page | undefined {
  const title = world.titleAt(slot, titleId);
  const observation = world.observeTitle(slot, titleId);
  if (title === undefined || observation === undefined) return undefined;
  const content = `<img src="/icons/${titleId}.png" alt="" width=96 height=96>
<h1>${escapeHtml(title.name)}</h1>
<ul class="list-unstyled game-details">
  ${details(title).join('\n  ')}
</ul>
<h2>Active Sessions</h2>
<table class="table table-striped">
<thead><tr><th>Host</th><th class="text-right">Players</th></tr></thead>
<tbody>
${matchRows(observation.matches).join('\n')}
</tbody>
</table>
${boardMenu(world.boardsAt(slot, titleId))}
<h2>Matchmaking Regions</h2>
<table class="table table-striped table-sm">
<thead><tr><th>Region<th class="text-right">Relays
<tbody>
<tr><td>Europe<td class="text-right">3/4
<tr><td>Americas<td class="text-right">2/2
<tr><td>Asia<td class="text-right">1
</table>`;
  return htmlPage(200, layout(title.name, content));
}

function details(title: Title): string[] {
  const releaseDate = formatReleaseDate(title);
  return [
    `<li><strong>Title:</strong> ${escapeHtml(title.fullTitle)}`,
    ...(title.publisher === null ? [] : [`<li><strong>Publisher:</strong> ${escapeHtml(title.publisher)}</li>`]),
    ...(releaseDate === undefined ? [] : [`<li><strong>Release date:</strong> ${releaseDate}</li>`]),
    `<li><strong>Serial:</strong> ${title.productCode}`,
  ];
}

function matchRows(matches: readonly Match[]): string[] {
  if (matches.length === 0) {
    return ['<tr><td colspan="2" class="text-muted">Nobody is playing right now.</td></tr>'];
  }
  return matches.map(({ host, players, maxPlayers }) => {
    const filling = maxPlayers === null ? players : `${players}/${maxPlayers}`;
    return `<tr><td>${escapeHtml(host)}</td><td class="text-right">${filling}</td></tr>`;
  });
}

function boardMenu(boards: readonly BoardName[]): string {
  const options = boards.map(({ id, name }) => `  <option value="${id}">${escapeHtml(name)}</option>`);
  return `<h2>Leaderboards</h2>
<select id="leaderboard-select" class="form-control">
  <option value="">Choose a leaderboard</option>
${options.join('\n')}
</select>`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function formatReleaseDate(title: Title): string | undefined {
  if (title.releaseDate === null) return undefined;
  if (hashText(title.titleId) % 3 === 0) return title.releaseDate;
  const [year = '', month = '', day = ''] = title.releaseDate.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}
