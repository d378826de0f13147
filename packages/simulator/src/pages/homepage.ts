import { hashText, mix, pick } from '../world/hash.ts';
import type { Title } from '../world/title.ts';
import type { TitleObservation, World } from '../world/world.ts';
import { escapeHtml, layout, htmlPage, type Page } from './page.ts';

export function homepage(world: World, slot: number): Page {
  const observation = world.observe(slot);
  const titles = world.titlesAt(slot);
  const rows = observation.titles.map((title, index) => gameRow(titles[index], title));
  const content = `<h1>Welcome back</h1>
<div class="row counters">
  ${counter(observation.registered, 'Registered Users')}
  ${counter(titles.length, 'Games Supported')}
  ${counter(observation.online, 'Users Online Now')}
</div>
<h2 id="games">Games</h2>
<table class="table table-hover games">
<thead><tr><th></th><th>Title</th><th>Serial</th><th class="text-right">Online</th><th>Activity</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<h2 id=help>Help</h2>
<table class="table table-striped">
  <tr><th>Service<th>Status
  <tr><td>Matchmaking<td class="text-right">OK
  <tr><td>Voice<td class="text-right">OK
</table>`;
  return htmlPage(200, layout('Home', content));
}

function counter(count: number, label: string): string {
  return `<div class="col-md-4"><h3>${count.toLocaleString('en')}</h3><p>${label}</p></div>`;
}

function gameRow(title: Title | undefined, observation: TitleObservation): string {
  if (title === undefined) return '';
  const { titleId, productCode, publisher } = title;
  const name = escapeHtml(title.name);
  // Some rows have upper-case IDs, as real pages do.
  const displayId = mix(hashText(titleId), 1) % 8 === 0 ? titleId.toUpperCase() : titleId;
  const publisherLine = publisher === null ? '' : `<br><span class="text-muted">${escapeHtml(publisher)}</span>`;
  return `<tr>
  <td><a href="/games/${titleId}"><img src="/icons/${titleId}.png" alt="" width=40 height=40 loading=lazy></a></td>
  <td><a href="/games/${titleId}">${name}</a>${publisherLine}</td>
  <td>${productCode}<br><small class="text-muted">${displayId}</small></td>
  <td class="text-right">${observation.online.toLocaleString('en')}</td>
  <td>${activityCell(observation)}</td>
</tr>`;
}

/** Real pages use all of these. */
const INACTIVE = ['-', '0', '0 sessions', '0 in 0 sessions', ''] as const;

function activityCell(observation: TitleObservation): string {
  const { players, sessions, titleId } = observation;
  if (sessions === 0) return pick(hashText(titleId), INACTIVE);
  return `${players.toLocaleString('en')} in ${sessions.toLocaleString('en')} sessions`;
}
