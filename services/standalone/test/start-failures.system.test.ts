import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cleanUp, temporaryDirectory } from '@lobbystats/test-kit';

const repository = join(import.meta.dirname, '../../..');

/** The arguments of `npm start` after `node`. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(1);
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
  /** In KiB; larger writes fail as on a full disk. */
  readonly maxFileKilobytes?: number;
}

/** Runs `npm start` until it ends. Returns its exit code and standard error. */
async function runStart({ env = {}, nodeArguments = [], maxFileKilobytes }: Options) {
  const command = [process.execPath, ...nodeArguments, ...startArguments()];
  const [program = '', ...args] =
    maxFileKilobytes === undefined
      ? command
      : ['bash', '-c', `ulimit -f ${maxFileKilobytes}; exec "$@"`, 'bash', ...command];
  const child = spawn(program, args, {
    cwd: repository,
    env: { ...ports, DATA_DIR: join(temporaryDirectory(), 'data'), NODE_DISABLE_COMPILE_CACHE: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  cleanUp(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}

const ports = { PORT: '0', SIMULATOR_PORT: '0', METRICS_PORT: '0' };

async function usedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

describe('npm start', () => {
  it.each(['PORT', 'SIMULATOR_PORT'])('names %s when that port is in use', async (setting) => {
    const port = await usedPort();
    const { code, errors } = await runStart({ env: { [setting]: port } });
    expect([code, errors]).toEqual([1, `standalone can't start: port ${port} is in use: set ${setting}\n`]);
  });

  it('names the data directory when it can not be written', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect(await runStart({ env: { DATA_DIR: file } })).toEqual({
      code: 1,
      errors: `standalone can't start: the data directory ${file} can't be written: it is a file: set DATA_DIR to another\n`,
    });
  });

  it('refuses the data of an interrupted restore', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, '.restoring'));
    const { code, errors } = await runStart({ env: { DATA_DIR: directory } });
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^standalone can't start: a restore into .+ was interrupted: run/),
    ]);
    expect(readdirSync(directory)).toEqual(['.restoring']);
  });

  it('names the database that has no space', async () => {
    const { code, errors } = await runStart({ maxFileKilobytes: 64 });
    expect(code).toBe(1);
    expect(errors).toMatch(/^standalone can't start: \S+\.sqlite can't be opened: [^\n]+\n$/);
  });

  it('names the required version on an older Node', async () => {
    const olderNode = join(import.meta.dirname, 'fixtures/older-node.cjs');
    const { code, errors } = await runStart({ nodeArguments: ['-r', olderNode] });
    expect(code).toBe(1);
    expect(errors).toMatch(/^Lobbystats needs Node 24, and this is Node 20\.20\.2: [^\n]+\n$/);
  });
});
