import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cleanUp } from '@lobbystats/test-kit';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { UNREACHABLE_URL } from './running-gateway.ts';

/** Starts the gateway process. Returns its output and exit code. */
function runMain(env: Record<string, string>) {
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  cleanUp(() => child.kill('SIGKILL'));
  const written = { out: '', err: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    written.err += chunk.toString();
  });
  const listening = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      written.out += chunk.toString();
      const [, url] = /"url":"(http:[^"]+)"/.exec(written.out) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { child, written, listening, ended };
}

describe('gateway process', () => {
  it('serves requests and exits with 0 on SIGTERM', async () => {
    const env = { PORT: '0', METRICS_PORT: '0', CATALOG_API_URL: UNREACHABLE_URL };
    const { child, listening, ended } = runMain(env);
    expect((await sendRequest(await listening, '/healthz')).body).toEqual({ status: 'alive', service: 'gateway' });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('prints all invalid settings and exits with 1', async () => {
    const { written, ended } = runMain({ PORT: 'x', CACHE_BYTES: '-1' });
    expect(await ended).toBe(1);
    expect(written.err).toMatch(/PORT must be/);
    expect(written.err).toMatch(/CACHE_BYTES must be/);
    expect(written.err).not.toMatch(/ at .+\.ts/);
  });
});
