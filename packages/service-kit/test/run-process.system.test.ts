import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanUp, eventually, getJson } from '@lobbystats/test-kit';

interface Running {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  /** Parsed log entries. */
  lines: () => Record<string, unknown>[];
  exit: Promise<unknown>;
}

function run(
  env: Record<string, string> = {},
  [command, ...args]: [string, ...string[]] = [process.execPath, join(import.meta.dirname, 'fixtures/example-main.ts')],
): Running {
  const child = spawn(command, args, { env });
  cleanUp(() => child.kill('SIGKILL'));
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (texts.out += String(chunk)));
  child.stderr.on('data', (chunk) => (texts.err += String(chunk)));
  const exit = once(child, 'close').then(([code]: unknown[]) => code);
  const lines = () =>
    texts.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { child, out: () => texts.out, err: () => texts.err, lines, exit };
}

async function logged(running: Running, message: string): Promise<Record<string, unknown>> {
  return eventually(() => {
    const line = running.lines().find((one) => one['message'] === message);
    if (line === undefined) throw new Error(`"${message}" is not logged: ${running.out()}${running.err()}`);
    return line;
  });
}

async function urlOf(running: Running): Promise<string> {
  return String((await logged(running, 'ready'))['url']);
}

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s lets requests in flight finish and exits with 0', async (signal) => {
    const running = run();
    const answer = getJson(`${await urlOf(running)}/slow`);
    await logged(running, 'answering');
    running.child.kill(signal);
    await expect(answer).resolves.toMatchObject({ status: 200, body: 'whole' });
    expect(await running.exit).toBe(0);
    expect(running.lines().at(-1)).toMatchObject({ message: 'stopped' });
    expect(running.err()).toBe('');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a second %s exits at once with %i', async (signal, code) => {
    const running = run({ FAULT: 'hang' });
    await urlOf(running);
    running.child.kill(signal);
    await logged(running, 'stopping');
    running.child.kill(signal);
    expect(await running.exit).toBe(code);
  });

  it('a signal during the start stops the process after the start', async () => {
    const running = run({ FAULT: 'slow-start' });
    await urlOf(running);
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(running.lines().map(({ message }) => message)).toEqual(['ready', 'stopping', 'started', 'stopped']);
  });

  it('a stop that exceeds its deadline prints an error and exits with 1', async () => {
    const running = run({ FAULT: 'hang' });
    await urlOf(running);
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(1);
    expect(running.err()).toBe('example did not stop within 2000 ms\n');
  });

  it('a failed stop is logged and exits with 1', async () => {
    const running = run({ FAULT: 'stop' });
    await urlOf(running);
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(1);
    expect(running.lines().at(-1)).toMatchObject({ message: 'stopping failed', error: { message: 'can not flush' } });
  });

  it.each(['uncaught', 'rejection'])(
    'an uncaught error (%s) is logged once, stops the process and exits with 1',
    async (FAULT) => {
      const running = run({ FAULT });
      expect(await getJson(`${await urlOf(running)}/fault`)).toMatchObject({ body: 'soon' });
      expect(await running.exit).toBe(1);
      const faults = running.lines().filter(({ level }) => level === 'error');
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatchObject({ error: { message: 'nobody caught me', stack: expect.any(String) } });
      expect(running.lines().at(-1)).toMatchObject({ message: 'stopped' });
    },
  );
});

(process.platform === 'win32' ? describe.skip : describe)('a program of an npm script', () => {
  it('stops when the shell ends that npm started, which passes no signal on', async () => {
    const preparation = join(import.meta.dirname, '../src/process/prepare-node.cjs');
    const program = `"${process.execPath}" -r "${preparation}" "${join(import.meta.dirname, 'fixtures/example-main.ts')}"`;
    const running = run({ npm_lifecycle_event: 'start' }, ['sh', '-c', `${program}; exit $?`]);
    await urlOf(running);
    running.child.kill('SIGTERM');
    // The pipe closes when the program has ended.
    await running.exit;
    // It may end before it says that it has started.
    const messages = running.lines().map(({ message }) => message);
    expect(messages.filter((message) => message !== 'started')).toEqual(['ready', 'stopping', 'stopped']);
  });
});

describe('a failed start', () => {
  it('prints each invalid setting on its own line', async () => {
    const running = run({ DAYS: '0', PORT: 'x' });
    expect(await running.exit).toBe(1);
    expect(running.err()).toBe(
      "example can't start:\n  PORT must be an integer from 0 to 65535\n  DAYS must be an integer from 1 to 365\n",
    );
  });

  it('names the setting to change for a port in use', async () => {
    const { port } = new URL(await urlOf(run()));
    const second = run({ PORT: port });
    expect(await second.exit).toBe(1);
    expect(second.err()).toBe(`example can't start: port ${port} is in use: set PORT\n`);
  });

  it('prints the message of a store that refuses to open', async () => {
    const running = run({ FAULT: 'store' });
    expect(await running.exit).toBe(1);
    expect(running.err()).toBe("example can't start: data.sqlite was filled by another network: use another one\n");
  });

  it('prints the stack of an unexpected error', async () => {
    const running = run({ FAULT: 'start' });
    expect(await running.exit).toBe(1);
    expect(running.err()).toMatch(/^example can't start: TypeError: a fault of our own\n {4}at /);
  });
});
