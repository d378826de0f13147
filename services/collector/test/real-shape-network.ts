import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';
import { NETWORK } from './mock-network.ts';
import { page } from './page-builder.ts';

/** A title whose page shows a leaderboard, and one whose rows come by script. */
export const [SHOWN, SCRIPTED] = ['4d53004a', '4d530064'];
const IDLE = '54540015';

const titles = [
  { id: SHOWN, name: 'Harbor Racing', online: 5, activity: '5 in 2 sessions', hosts: ['NeonOtter', 'Moss'] },
  { id: SCRIPTED, name: 'Old Pier', online: 4, activity: '2 in 1 session', hosts: ['Ember Fox'] },
  { id: IDLE, name: 'Still Water', online: 0, activity: '-', hosts: [] },
];

/** A network as public ones are: no feeds, leaderboards on the game pages or by script, JSON that scripts read. */
export function realShapeNetwork(json: Record<string, unknown> = {}): MockedRequest[] {
  const host = nock(NETWORK).persist();
  host.get(/^/).reply(({ url }: Request) => {
    const { pathname } = new URL(url);
    const data = json[pathname];
    if (data !== undefined) return [200, JSON.stringify(data), { 'Content-Type': 'application/json' }];
    const title = titles.find(({ id }) => pathname === `/games/${id}`);
    const body = pathname === '/' ? homepage() : title === undefined ? undefined : gamePage(title);
    return [body === undefined ? 404 : 200, body ?? page('Not found'), { 'Content-Type': 'text/html; charset=utf-8' }];
  });
  return requestsTo(host);
}

function homepage(): string {
  const rows = titles.map(
    ({ id, name, online, activity }) =>
      `<tr><td><a><img src="https://cdn.example/${id}.png" alt=""></a><a>${name}</a><br /><small>Northlight</small></td>
       <td>MS-074<br /><small>${id.toUpperCase()}</small></td><td>${online}</td><td>${activity}</td></tr>`,
  );
  return page(`<h3>24,433</h3><p>Registered Users</p><h3>3</h3><p>Games Supported</p><h3>12</h3><p>Users Online Now</p>
    <section id="games"><table><tbody>${rows.join('')}</tbody></table></section>`);
}

function gamePage({ id, name, hosts }: (typeof titles)[number]): string {
  const matches = hosts.map((host) => `<tr><td>${host}</td><td class="text-right">2/8</td></tr>`).join('');
  const entries =
    id === SHOWN
      ? '<tr><td>1</td><td>NeonOtter</td><td>12,345</td></tr><tr><td>2</td><td>Owl</td><td>9,001</td></tr>'
      : '';
  return page(`<ul><li><strong>Title:</strong> ${name}</li></ul>
    <table class="table table-striped"><tr><th>Host</th><th class="text-right">Players</th></tr>
    ${matches === '' ? '<tr><td colspan="2">No open matches</td></tr>' : matches}</table>
    <select id="leaderboard-select"><option value="11">Laps</option><option value="12" selected>Kudos</option></select>
    <table class="board"><thead><tr><th>Rank</th><th>Name</th><th>Kudos</th></tr></thead><tbody>${entries}</tbody></table>`);
}
