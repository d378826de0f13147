import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveRaw, temporaryDirectory } from '@lobbystats/test-kit';
import { runDescribe, runTry } from '../src/admin.ts';
import { sourcesFile } from '../src/sources/descriptions/source-description.ts';
import { homepageHtml, page } from './page-builder.ts';

const MAX_LINES = 15;

function fileOf(content: string, name = 'page.html'): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, content);
  return path;
}

async function run(source: string, options: Parameters<typeof runDescribe>[2] = {}) {
  let out = '';
  const terminal = { out: (text: string) => void (out += text), error: (text: string) => void (out += text) };
  const code = await runDescribe({ env: { COLLECTOR_MAX_RPS: '1000' }, terminal }, source, options);
  const [report = '', json] = out.split(/^Proposed .*\n/m);
  expect((json ?? '').split('\n').length).toBeLessThanOrEqual(MAX_LINES + 1);
  return { code, report, proposed: json === undefined ? undefined : sourcesFile.parse(JSON.parse(json)) };
}

const describePage = (html: string, options = {}) => run(fileOf(page(html)), options);

function table(headings: readonly string[], ...rows: readonly (readonly string[])[]): string {
  const head =
    headings.length === 0 ? '' : `<thead><tr>${headings.map((each) => `<th>${each}</th>`).join('')}</tr></thead>`;
  const body = rows.map((row) => `<tr>${row.map((each) => `<td>${each}</td>`).join('')}</tr>`).join('');
  return `<table>${head}<tbody>${body}</tbody></table>`;
}

describe('network describe', () => {
  it('proposes nothing for a page that is read already, and shows it', async () => {
    const title = { titleId: '4d530064', name: 'Reef Runner', publisher: '', online: 3, sessions: 1, players: 2 };
    const html = homepageHtml({ registered: 9, online: 7, titles: [title] });
    const { code, report, proposed } = await run(fileOf(html));
    expect([code, proposed]).toEqual([0, undefined]);
    expect(report).toMatch(/as "homepage".*^Read: 7 online, 9 registered, 1 titles.*nothing to add/ms);
  });

  const home = (games: string) =>
    `<div><span>Players online</span><b>1,204</b></div><div><span>Accounts</span><b>88,120</b></div>${games}`;
  it.each([
    [
      'the present beside a month',
      home(
        `<h2>Popular this month</h2>${table(['Title', 'ID', 'Players'], ['Reef Runner', '54570001', '1400'])}
         <h2>Right now</h2>${table(['Title', 'ID', 'Playing', 'Lobbies'], ['Reef Runner', '54570001', '140', '30 players, 4 sessions'], ['Iron Meadow', '54570002', '—', '-'])}`,
      ),
      /^Read: 1204 online, 88120 registered, 2 titles, 1 played: 54570001 Reef Runner \(140\), 54570002 Iron Meadow \(0\)$/m,
      [
        'the column "Playing" is "online"',
        'the games are below the heading "Right now"',
        '"—"',
        'label of "registered"',
      ],
    ],
    [
      'all time beside the present',
      home(table(['Game', 'Title ID', 'Players now', 'Players'], ['Reef Runner', '54570001', '12', '440'])),
      /^Read: .*54570001 Reef Runner \(12\)$/m,
      ['the column "Players now" is "online"'],
    ],
    [
      'a table without headings',
      home(table([], ['Reef Runner', '54570001', '7'], ['Iron Meadow', '54570002', '0'])),
      /^Read: .*54570001 Reef Runner \(7\), 54570002 Iron Meadow \(0\)$/m,
      ['"order": ["title","titleId","online"]'],
    ],
    [
      'lobbies beside finished ones',
      `<p>Studio: Tern Works</p><h2>Recent lobbies</h2>${table(['Leader', 'Slots', 'Ended'], ['Old', '8/8', '12:00'])}
       <h2>Joinable lobbies</h2>${table(['Leader', 'Slots'], ['Kestrel', '3 out of 8'])}`,
      /^Read: 1 open matches, "" of "Tern Works", .*: Kestrel 3\/8$/m,
      ['below the heading "Joinable lobbies"', '{ "players": ["{players} out of {max}"] }', '"Studio" is the label'],
    ],
    [
      'a notice of its own',
      '<p>Publisher: Tern Works</p><h2>Lobbies</h2><p>Nobody hosts a lobby at present.</p>',
      /^Read: 0 open matches/m,
      ['"none": "Nobody hosts a lobby at present."'],
    ],
    [
      'times of another format, and flags',
      table(
        ['Place', 'Racer', 'Best lap', 'Laps'],
        ['1.', '<i class="flag">FI</i> <a>Kestrel</a>', `1'02"345`, '9'],
        ['2.', '<i class="flag">NO</i> <a>Ada</a>', `1'03"001`, '14'],
      ),
      /^Read: 2 entries with times: 1 Kestrel 1'02"345, 2 Ada 1'03"001$/m,
      ['the column "Racer" is "name"', `{m}'{s}\\"{f}`, 'i.flag'],
    ],
    [
      'scores beside times of play',
      table(['Rank', 'Player', 'Score', 'Time'], ['1', 'Kestrel', '98,200', '12:04'], ['2', 'Ada', '71,000', '20:31']),
      /^Read: 2 entries with scores: 1 Kestrel 98,200, 2 Ada 71,000$/m,
      ['"time": null'],
    ],
  ])('proposes a description of %s that reads it, and says what it guessed', async (_, html, reading, decisions) => {
    const { code, report, proposed } = await describePage(html);
    expect(report).toMatch(reading);
    for (const decision of decisions) expect(report).toMatch(new RegExp(`^Decide .*${RegExp.escape(decision)}`, 'm'));
    expect([code, typeof proposed]).toEqual([0, 'object']);
  });

  it.each([
    [
      'a first page of several',
      `${table(['Game', 'Title ID', 'Online'], ['A', '54570001', '1'])}<p>1 to 1 of 57</p>`,
      /more pages/,
    ],
    [
      'a board below a podium',
      table(['Rank', 'Player', 'Score'], ['4', 'Tern', '7'], ['5', 'Oak', '6']),
      /begins at rank 4/,
    ],
    [
      'the best in a table of their own',
      `<h2>Best</h2>${table(['Rank', 'Player', 'Score'], ['1', 'Kestrel', '9'])}
       <h2>Others</h2>${table(['Rank', 'Player', 'Score'], ['2', 'Tern', '7'])}`,
      /2 tables/,
    ],
    ['a table that a script fills', table(['Rank', 'Player', 'Score'], ['<p>Loading…</p>']), /nothing but "Loading/],
  ])('leaves %s to a person', async (_, html, reason) => {
    const { code, report } = await describePage(`<p>Users Online Now</p><h3>5</h3>${html}`);
    expect(code).toBe(2);
    expect(report).toMatch(new RegExp(`^Refused: .*${reason.source}`, 'm'));
  });

  it('shows the pointers of a JSON answer, and reads it as a source', async () => {
    const answer = { totals: { users: '24,433', online: 30 }, games: [{ id: '4D53004A', title: 'Harbor', users: 9 }] };
    const path = fileOf(JSON.stringify(answer), 'stats.json');
    const reading = { online: '/totals/online', titles: { each: '/games', titleId: '/id', online: '/users' } };
    const sources = fileOf(JSON.stringify({ homepage: { url: '/stats.json', reading } }), 'sources.json');
    const { code, report, proposed } = await run(path, { as: 'homepage', sources });
    expect(report).toMatch(
      /"\/totals\/online" is 30$.*^List "\/games":\n {2}"\/id" is "4D53004A"$.*^Read: 30 online/ms,
    );
    expect([code, proposed]).toEqual([0, undefined]);
  });

  it('describes a page of a network with its address, and the pages that network try saved, which it then reads', async () => {
    const board = page(table(['Place', 'Racer', 'Points'], ['1', 'Kestrel', '9'], ['2', 'Ada', '8']));
    const html = page(home(table(['Game', 'Title ID', 'Players'], ['Reef Runner', '54570001', '12'])));
    const url = await serveRaw(({ url: path }, response) => {
      response.setHeader('Content-Type', 'text/html');
      if (path?.startsWith('/board/') === true) response.end(board);
      else if (path === '/') response.end(html);
      else response.writeHead(404).end();
    });
    const { proposed } = await run(`${url}/board/54570001/7?p=1`);
    expect(proposed?.leaderboards).toEqual({
      url: '/board/{titleId}/{leaderboardId}?p={page}',
      page: { entries: { columns: { name: 'Racer' } } },
    });

    let out = '';
    const terminal = { out: (text: string) => void (out += text), error: (text: string) => void (out += text) };
    const save = join(temporaryDirectory(), 'pages.ndjson');
    const env = { COLLECTOR_MAX_RPS: '1000' };
    expect(await runTry({ env, terminal }, url, { save })).toBe(1);
    expect(out).toContain(`network describe "${url}/"`);
    const described = await run(save);
    const sources = fileOf(JSON.stringify(described.proposed), 'sources.json');
    expect(await runTry({ env, terminal }, save, { sources })).toBe(0);
    expect(out).toContain('1204 online, 88120 registered, 1 titles, 1 played: 54570001 Reef Runner (12)');
  });

  it.each([
    ['no file', () => Promise.resolve('elsewhere.html'), /elsewhere\.html/],
    ['a network of others without a contact', () => Promise.resolve('http://192.0.2.1/'), /COLLECTOR_CONTACT must be/],
    ['a page that is cut', () => Promise.resolve(fileOf('<html><table>')), /ends before/],
  ])('fails for %s', async (_, source, reason) => {
    const { code, report } = await run(await source());
    expect(code).toBe(1);
    expect(report).toMatch(reason);
  });
});
