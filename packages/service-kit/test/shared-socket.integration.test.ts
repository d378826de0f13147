import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StartError } from '@lobbystats/service-kit';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { listenOnSharedSocket, SHARED_SOCKETS } from '../src/http/listen.ts';
import { startExample } from './example-service.ts';

function sharedDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-sockets-'));
  cleanUp(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** Starts the listener of a replica. */
async function listenIn(directory: string, identity = 'same') {
  const server = createServer((socket) => socket.end());
  cleanUp(() => {
    server.close();
  });
  return { path: await listenOnSharedSocket(server, directory, identity), server };
}

async function get(socketPath: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const [answer] = (await once(request({ socketPath, path: '/healthz', headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  answer.resume();
  return answer.statusCode;
}

/** Creates the socket file of a killed process: no process listens on it. */
function leaveBehind(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const listen = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listen]);
  expect(statSync(path).isSocket()).toBe(true);
}

const socketsIn = (directory: string) => readdirSync(directory).map((name) => join(directory, name));

describe('a shared socket', () => {
  it('accepts requests beside the port and is removed when the service stops', async () => {
    const socketDirectory = sharedDirectory();
    const { http, url } = await startExample({ socketDirectory });
    const [path = '', ...others] = socketsIn(socketDirectory);
    expect(others).toEqual([]);
    expect(await get(path)).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await http.stop();
    expect(socketsIn(socketDirectory)).toEqual([]);
  });

  it('accepts connections of a proxy that runs as another user', async () => {
    const { path } = await listenIn(sharedDirectory());
    expect(statSync(path).mode & 0o666).toBe(0o666);
  });

  it('trusts X-Forwarded-For even if the port does not', async () => {
    const socketDirectory = sharedDirectory();
    const { url, lines } = await startExample({ socketDirectory, trustedProxies: () => false });
    const [path = ''] = socketsIn(socketDirectory);
    const forwarded = { 'X-Forwarded-For': '203.0.113.7' };
    await get(path, forwarded);
    await fetch(`${url}/healthz`, { headers: forwarded });
    const clients = () => lines.filter(({ message }) => message === 'request').map(({ client }) => client);
    await eventually(() => expect(clients()).toEqual(['203.0.113.7', '127.0.0.1']));
  });

  it('belongs to one replica when many replicas start at once', async () => {
    const directory = sharedDirectory();
    const replicas = await Promise.all(Array.from({ length: SHARED_SOCKETS }, () => listenIn(directory)));
    expect(new Set(replicas.map(({ path }) => path)).size).toBe(SHARED_SOCKETS);
    await expect(listenIn(directory)).rejects.toThrow(`all ${SHARED_SOCKETS} sockets of ${directory} are in use`);
  });

  it('is reused after a restart, even if a killed process left it behind', async () => {
    const directory = sharedDirectory();
    const { path, server } = await listenIn(directory);
    server.close();
    expect((await listenIn(directory)).path).toBe(path);
    const other = join(sharedDirectory(), 'sockets');
    const left = join(other, basename(path));
    leaveBehind(left);
    expect((await listenIn(other)).path).toBe(left);
  });

  it('is found despite a stale lock of a killed process', async () => {
    const directory = sharedDirectory();
    const lock = join(directory, 'lock');
    mkdirSync(lock);
    utimesSync(lock, 0, 0);
    const { path } = await listenIn(directory);
    expect(socketsIn(directory)).toEqual([path]);
  });

  it('fails with StartError in a directory that cannot be written', async () => {
    const missing = join(sharedDirectory(), 'missing');
    await expect(listenIn(missing)).rejects.toThrow(StartError);
    await expect(listenIn(missing)).rejects.toThrow(`${missing} can't be written: set SOCKET_DIRECTORY`);
  });

  it('has a name that the nginx configuration lists', () => {
    const listed = readFileSync(join(import.meta.dirname, '../../../infra/nginx/gateways.conf'), 'utf8').matchAll(
      /server unix:\/run\/gateways\/(\d+\.sock) /g,
    );
    const names = Array.from({ length: SHARED_SOCKETS }, (_, number) => `${number}.sock`);
    // Once for requests, once for streams.
    expect(Array.from(listed, ([, name]) => name)).toEqual([...names, ...names]);
  });
});
