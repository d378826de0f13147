import { join } from 'node:path';
import { serveRaw, temporaryDirectory } from '@lobbystats/test-kit';
import { runTry } from '../src/admin.ts';
import { readSourcesFile } from '../src/sources/client/sources.node.ts';
import { homepageHtml } from './page-builder.ts';

const title = { titleId: '4d530064', name: 'Halo', publisher: '', online: 3, sessions: 1, players: 2 };

async function run(source: string, options: { save?: string; sources?: string } = {}, env = {}) {
  let out = '';
  const terminal = { out: (text: string) => void (out += text), error: (text: string) => void (out += text) };
  const code = await runTry({ env: { COLLECTOR_MAX_RPS: '1000', ...env }, terminal }, source, options);
  return { code, lines: out.trim().split('\n') };
}

describe('network try', () => {
  it('prints what each source yields or why it is refused, and reads the saved pages again', async () => {
    const url = await serveRaw(({ url: path }, response) => {
      response.setHeader('Content-Type', 'text/html');
      if (path === '/') response.end(homepageHtml({ registered: 9, online: 7, titles: [title] }));
      else response.writeHead(404).end();
    });
    const save = join(temporaryDirectory(), 'pages.ndjson');
    const { code, lines } = await run(url, { save });
    expect({ code, lines }).toEqual({
      code: 2,
      lines: [
        'homepage     7 online, 9 registered, 1 titles, 1 played: 4d530064 Halo (3)',
        expect.stringMatching(/^titles {7}refused: .*status 404$/),
        'leaderboards refused: no leaderboard is known',
        expect.stringMatching(/^events {7}refused: .*status 404$/),
        expect.stringMatching(/^players {6}refused: .*status 404$/),
      ],
    });
    expect(await run(save)).toEqual({
      code: 0,
      lines: ['homepage     /: 7 online, 9 registered, 1 titles, 1 played: 4d530064 Halo (3)'],
    });
  });

  it.each([
    [
      'a homepage of nothing',
      () => serveRaw((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>')),
      /^homepage +refused: .*ends before/,
    ],
    ['a network of others without a contact', () => Promise.resolve('http://192.0.2.1'), /COLLECTOR_CONTACT must be/],
    ['no URL', () => Promise.resolve('elsewhere'), /elsewhere is neither a URL nor a file/],
  ])('fails for %s', async (_, source, reason) => {
    const { code, lines } = await run(await source());
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(reason);
  });

  it('accepts the example of the documents', () => {
    const example = readSourcesFile(join(import.meta.dirname, '../../../docs/network-sources.example.json'));
    expect(Object.keys(example)).toEqual(['titles', 'leaderboards', 'events', 'players']);
  });
});
