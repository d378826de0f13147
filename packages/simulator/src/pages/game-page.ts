import type { BoardName } from '../world/board-names.ts';
import { hashText } from '../world/hash.ts';
import type { Match } from '../world/match-schedule.ts';
import type { Title } from '../world/title.ts';
import type { World } from '../world/world.ts';
import { escapeHtml } from './html.ts';
import { layout } from './layout.ts';
import { htmlPage } from './page.ts';
import type { Page } from './page.ts';
import { formatReleaseDate } from './release-date.ts';

export function gamePage(world: World, slot: number, titleId: string): Page | undefined {
  const title = world.titleAt(slot, titleId);
  const observation = world.observeTitle(slot, titleId);
  if (title === undefined || observation === undefined) return undefined;
  const content = `<img src="/icons/${titleId}.svg" alt="" width=96 height=96>
<h1>${escapeHtml(title.name)}</h1>
<ul class="list-unstyled game-details">
  ${details(title).join('\n  ')}
</ul>
<h2>Active Sessions</h2>
<table class="table table-striped">
<thead><tr><th>Host</th><th class="text-right">Players</th></tr></thead>
<tbody>
${matchRows(title, observation.matches).join('\n')}
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

function matchRows(title: Title, matches: readonly Match[]): string[] {
  if (matches.length === 0 && hashText(title.titleId) % 2 === 0) {
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
