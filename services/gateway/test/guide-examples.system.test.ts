import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { webhookMessages } from '@lobbystats/contracts';
import { cleanUp, eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { links } from '@lobbystats/site/links';
import { readGuide, type GuideCode } from './guide-code.ts';
import { freeUrl, runGateway, type RunningGateway } from './running-gateway.ts';
import { publishSlot } from './stream-facts.ts';
import { SESSION } from './user-responses.ts';

const BASE = 'https://stats.example';
const AUTH = 'https://auth.example';

let gateway: RunningGateway;
let codes: GuideCode[];
/** With the client, as the guide says to download it. */
let folder: string;
let auth: string;

beforeAll(async () => {
  gateway = await runGateway({
    scope: 'file',
    env: { PUBLIC_URL: BASE, AUTH_PUBLIC_URL: AUTH, CACHE_BYTES: '1000000' },
  });
  codes = await readGuide(gateway, links.guide);
  folder = temporaryDirectory('file');
  writeFileSync(join(folder, basename(links.client)), (await gateway.request(links.client)).text);
  auth = await runAuthService();
});

/** An auth service that signs everybody in as {@link SESSION}. @returns its URL */
async function runAuthService(): Promise<string> {
  const server = createServer(({ method, url }, res) => {
    const isLogin = method === 'POST' && url === '/api/auth/login';
    res.writeHead(isLogin ? 200 : 404, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(isLogin ? { sessionKey: SESSION.key } : { error: 'Unknown route' }));
  });
  cleanUp(() => void server.close(), 'file');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a program of the guide against the gateway. */
function start({ text, language }: GuideCode) {
  const program = text.replaceAll(BASE, gateway.url).replaceAll(AUTH, auth);
  const [file, ...args] =
    language === 'curl'
      ? ['bash', '-c', program.replace('limit=100', 'limit=1')]
      : language === 'Python'
        ? ['python3', '-c', program]
        : [process.execPath, '--no-warnings', '--input-type=module', '--eval', program];
  const child = spawn(file, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  cleanUp(() => {
    child.kill();
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { ended, output: () => output };
}

const EXPECTED = [
  ['start', '41 2\n'],
  ['paging', 'Harbor Racing\nRally\n'],
  ['time', expect.stringMatching(/^1\/15\/2027, .* 41\n$/)],
  ['caching', expect.stringMatching(/^\d+( \d+)?\n$/)],
  ['writing', '0 true\n'],
  ['following', 'game phone\n'],
  ['errors', '404 Unknown game\n'],
  ['versions', ''],
  ['politeness', '3\n'],
] as const;

describe('JavaScript of the guide', () => {
  it.each(EXPECTED)('runs: %s', async (id, expected) => {
    const programs = codes.filter(({ step, language }) => step === id && language.startsWith('JavaScript'));
    expect(programs).toHaveLength(2);
    for (const code of programs) {
      const { ended, output } = start(code);
      expect([code.language, await ended, output()]).toEqual([code.language, 0, expected]);
    }
  });

  it('follows the live stream', async () => {
    for (const code of codes.filter(
      ({ step, language }) => step === 'streaming' && language.startsWith('JavaScript'),
    )) {
      const { output } = start(code);
      await eventually(async () => {
        await publishSlot(gateway.bus, 107);
        expect(output()).toMatch(/2026-01-31 18:05:00.*107/);
      });
    }
  });
});

describe('receivers of the guide', () => {
  const key = Buffer.from('a key of the test, of 32 bytes !!').toString('base64');
  const receivers = ['JavaScript with @lobbystats/client', 'JavaScript with fetch', 'Python'];

  const bodyOf = (type: keyof typeof webhookMessages) =>
    JSON.stringify({ type, timestamp: '2027-01-15T08:00:00Z', data: webhookMessages[type].example });

  function signed(id: string, body: string, at = Math.floor(Date.now() / 1000)) {
    const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
  }

  it.each(receivers)(
    'return the challenge, show a notification once, and refuse what is not signed: %s',
    async (language) => {
      const code = codes.find((one) => one.step === 'receiving' && one.language === language);
      const { port } = new URL(await freeUrl());
      const text = code!.text.replace('SECRET', key).replaceAll('8000', port);
      const { output } = start({ ...code!, text });
      const send = async (headers: Record<string, string>, body: string) => {
        const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
        return [response.status, await response.text()] as const;
      };
      const challenge = bodyOf('challenge');
      await eventually(async () => {
        const [status, answer] = await send(signed('one', challenge), challenge);
        expect([status, JSON.parse(answer)]).toEqual([200, webhookMessages.challenge.example]);
      });
      const notification = bodyOf('notification');
      const old = signed('two', notification, Math.floor(Date.now() / 1000) - 400);
      const at = (time: string) => ({ ...signed('two', notification), 'webhook-timestamp': time });
      const noSignature = { ...signed('two', notification), 'webhook-signature': 'v1,é' };
      for (const headers of [signed('two', challenge), {}, old, at('soon'), at('9'.repeat(5000)), noSignature]) {
        expect((await send(headers, notification))[0]).toBe(400);
      }
      for (const id of ['two', 'two', 'three'])
        expect((await send(signed(id, notification), notification))[0]).toBe(200);
      await eventually(() => {
        // Python also logs each request.
        expect(output().split(webhookMessages.notification.example.title)).toHaveLength(3);
      });
    },
  );

  it('compute the signature with openssl', async () => {
    const code = codes.find(({ step, language }) => step === 'receiving' && language === 'curl');
    const body = bodyOf('challenge');
    const headers = signed('one', body);
    const given = {
      id: 'one',
      timestamp: headers['webhook-timestamp'],
      body,
      secret: `whsec_${key}`,
      key: SESSION.key,
    };
    const variables = Object.entries(given).map(([name, value]) => `${name}='${value}'`);
    const { ended, output } = start({ ...code!, text: [...variables, code!.text].join('\n') });
    expect(await ended).toBe(0);
    expect(output().trimEnd().endsWith(headers['webhook-signature'].slice('v1,'.length))).toBe(true);
  });
});

describe('curl of the guide', () => {
  it('follows the pages of a list', async () => {
    const code = codes.find(({ step, language }) => step === 'paging' && language === 'curl');
    const { ended, output } = start(code!);
    expect(await ended).toBe(0);
    const pages = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { games: { name: string }[] });
    expect(pages.map(({ games }) => games.map(({ name }) => name))).toEqual([['Harbor Racing'], ['Rally']]);
  });
});
