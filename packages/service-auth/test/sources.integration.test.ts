import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { readServiceAuth } from '../src/sources.mjs';
import { EMBER, startAuthService } from './fake-auth-service.ts';
import { openPage } from './page.ts';
import { ServiceAuth } from '@lobbystats/service-auth';

describe('the SDK as it is served', () => {
  it('is at most 4 KB gzipped', () => {
    const sources = readServiceAuth('https://auth.stats.example');
    expect(gzipSync(sources['service-auth.js']).length).toBeLessThanOrEqual(4096);
  });

  it('uses the configured auth service unless apiUrl is given', async () => {
    const [usual, other] = await Promise.all([startAuthService(), startAuthService()]);
    const page = openPage(usual.url);
    await page.create().login(EMBER.email, EMBER.password);
    await page.create({ apiUrl: `${other.url}/api/` }).login(EMBER.email, EMBER.password);
    expect([usual.requests.length, other.requests.map(({ path }) => path)]).toEqual([1, ['/api/auth/login']]);
  });

  it.each([`http://x/';throw 1;'`, 'http://x/\\', 'http://x/\u2028', 'http://x/"', "http://x/$&$'{{authUrl}}"])(
    'escapes the address %j in the script',
    async (authUrl) => {
      const page = openPage(authUrl);
      const asked: unknown[] = [];
      Object.assign(page.window, {
        fetch: async (url: string) => {
          asked.push(url);
          throw new Error('away');
        },
      });
      await expect(page.create().login('', '')).rejects.toThrow('The auth service can not be reached');
      expect(asked).toEqual([`${authUrl}/api/auth/login`]);
    },
  );

  it('exports the class of the script from the module', () => {
    const directory = temporaryDirectory();
    for (const [name, text] of Object.entries(readServiceAuth('http://auth')))
      writeFileSync(join(directory, name), text);
    writeFileSync(
      join(directory, 'both.mjs'),
      `import { ServiceAuth } from './service-auth.mjs';
       console.log(typeof ServiceAuth, ServiceAuth.name, ServiceAuth === globalThis.ServiceAuth);`,
    );
    const output = execFileSync(process.execPath, [join(directory, 'both.mjs')], { encoding: 'utf8' });
    expect(output.trim()).toBe('function ServiceAuth true');
  });
});

describe('the SDK in Node', () => {
  it('signs in, verifies and signs out, with the session in memory', async () => {
    const service = await startAuthService();
    const auth = new ServiceAuth({ apiUrl: `${service.url}/api` });
    const usernames: string[] = [];
    auth.on('logout', ({ username }) => usernames.push(username));
    await auth.login(EMBER.email, EMBER.password);
    expect([auth.getUsername(), await auth.verifySession()]).toEqual([EMBER.username, true]);
    expect(await auth.logout()).toBe(true);
    expect([auth.getSessionKey(), usernames]).toEqual([null, [EMBER.username]]);
  });

  it('rejects a missing apiUrl, because the package belongs to no site', () => {
    expect(() => new ServiceAuth()).toThrow(new TypeError('apiUrl is missing'));
  });
});
