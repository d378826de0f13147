import { allOperations, pathsOf, streamEvents } from '@lobbystats/contracts';
import { readDocument } from '@lobbystats/contracts/openapi';
import { createSimulator } from '@lobbystats/simulator';
import { transformSync } from 'esbuild';
import { links } from '@lobbystats/site/links';
import { readGuide } from './guide-code.ts';
import { network } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const PUBLIC_URL = 'https://stats.example';
const LOGIN_URL = 'https://auth.example/api/auth/login';
/** A webhook of the reader. */
const READERS_URL = 'https://hooks.example.org/lobbystats';
const STEPS = [
  'start',
  'paging',
  'time',
  'caching',
  'streaming',
  'writing',
  'following',
  'receiving',
  'errors',
  'versions',
  'politeness',
];

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({
    scope: 'file',
    env: { PUBLIC_URL: `${PUBLIC_URL}/`, AUTH_PUBLIC_URL: 'https://auth.example/' },
  });
});

const languagesOf = (codes: { language: string }[]) => [...new Set(codes.map(({ language }) => language))];

describe('guide', () => {
  it('has an example in each language for every step', async () => {
    const page = await readPage(gateway, links.guide);
    expect([page.status, page.texts('h1')]).toEqual([200, ['Guide to the API']]);
    expect(page.links('.contents a')).toEqual(STEPS.map((id) => `#${id}`));
    const codes = await readGuide(gateway, links.guide);
    const languages = ['curl', 'JavaScript with @lobbystats/client', 'JavaScript with fetch', 'Python'];
    expect(codes.map(({ step, language }) => [step, language])).toEqual(
      STEPS.flatMap((step) => languages.map((language) => [step, language])),
    );
  });

  it('names an account, a user and a game that exist on the simulated network', async () => {
    const known = network({ usersOnline: [{ username: 'Pike', titleId: null, game: null }] });
    const codes = await readGuide(await runGateway({ network: known }), links.guide);
    const textOf = (step: string) => codes.filter((code) => code.step === step).map(({ text }) => text);
    const [account] = createSimulator().accounts;
    for (const text of [...textOf('writing'), ...textOf('following')]) {
      expect(text).toContain(account?.email);
      expect(text).toContain(account?.password);
    }
    for (const text of textOf('writing')) expect(text).toContain('Pike');
    const real = await readGuide(
      await runGateway({ network: known, env: { NETWORK_ORIGIN: 'fans.example' } }),
      links.guide,
    );
    for (const { text } of real) expect(text).not.toMatch(/Pike|players\.example/);
  });

  it('names operations of the contracts, at the public URL', async () => {
    const paths = [...allOperations, streamEvents].flatMap(pathsOf);
    const patterns = paths.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));
    for (const { text } of await readGuide(gateway, links.guide)) {
      const urls = text.match(/https:\/\/[^'"\s]+/g) ?? [];
      expect(urls).not.toEqual([]);
      const ofSite = urls.filter((url) => ![LOGIN_URL, READERS_URL].includes(url));
      const named = ofSite.filter((url) => url !== PUBLIC_URL).map((url) => url.slice(PUBLIC_URL.length).split('?')[0]);
      expect(ofSite.filter((url) => !url.startsWith(PUBLIC_URL))).toEqual([]);
      expect(named.filter((path = '') => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
    }
  });

  it('calls methods that the client has', async () => {
    const ids = new Set(allOperations.map(({ id }) => id));
    const texts = (await readGuide(gateway, links.guide)).map(({ text }) => text).join('\n');
    const called = Array.from(
      texts.matchAll(/\bstats\.(?:items\('(\w+)'|(\w+)\()/g),
      ([, item, method]) => item ?? method,
    );
    expect(called).not.toEqual([]);
    expect(called.filter((id = '') => id !== 'events' && !ids.has(id))).toEqual([]);
  });

  it('has JavaScript without syntax errors', async () => {
    const codes = await readGuide(gateway, `${links.guide}?language=javascript`);
    expect(codes).toHaveLength(2 * STEPS.length);
    for (const { text } of codes) expect(() => transformSync(text, { format: 'esm', loader: 'js' })).not.toThrow();
  });

  it('shows one language on request', async () => {
    const python = await readGuide(gateway, `${links.guide}?language=python`);
    expect([python.length, languagesOf(python)]).toEqual([STEPS.length, ['Python']]);
    expect((await readPage(gateway, `${links.guide}?language=cobol`)).status).toBe(400);
  });

  it('lists every status of an error that the API documents', async () => {
    const { paths } = readDocument({ publicUrl: PUBLIC_URL, version: '1' });
    const statuses = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses }) => Object.keys(responses).filter((status) => status >= '400')),
    );
    const page = await readPage(gateway, links.guide);
    expect(page.texts('#errors dt')).toEqual(expect.arrayContaining([...new Set(statuses), '405', '429']));
  });

  it('links to pages that exist', async () => {
    const page = await readPage(gateway, links.guide);
    const paths = page.links().filter((href) => href.startsWith('/'));
    for (const path of paths) expect([path, (await gateway.request(path)).status]).toEqual([path, 200]);
  });
});
