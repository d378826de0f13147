import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type ListenOptions, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { proxySockets } from './client-address.ts';
import { serverLimits } from './server-limits.ts';

export class StartError extends Error {
  override readonly name = 'StartError';
}

interface Address {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Names of the settings of port and host, for messages. Default of the host's: HOST. */
  setting: string;
  hostSetting?: string;
}

const REASONS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port, setting }) => `port ${port} is in use: set ${setting}`,
  EACCES: ({ port, setting }) => `port ${port} may not be used by this user: set ${setting}`,
  EADDRNOTAVAIL: ({ host, hostSetting = 'HOST' }) => `${host} is no address of this machine: set ${hostSetting}`,
  ENOTFOUND: ({ host, hostSetting = 'HOST' }) => `${host} is not known: set ${hostSetting}`,
};

export function asStartError(error: unknown, address: Address): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? error : new StartError(reason(address), { cause: error });
}

/** @returns the bound port. @throws StartError */
export async function listen(server: Server, address: Address, options: ListenOptions = {}): Promise<number> {
  const { host, port } = address;
  try {
    server.listen({ backlog: serverLimits.backlog, ...options, host, port });
    await once(server, 'listening');
  } catch (error) {
    throw asStartError(error, address);
  }
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server listens on no port');
  return bound.port;
}

/** A URL under which this machine reaches a server; of a wildcard address it is loopback. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

interface Listeners {
  readonly all: readonly Server[];
  /** @returns the TCP port. @throws StartError */
  open(address: Address): Promise<number>;
}

export function createListeners(server: Server, socketDirectory: string | undefined): Listeners {
  if (socketDirectory === undefined) return { all: [server], open: (address) => listen(server, address) };
  // The option that HTTP servers use for their own connections.
  const unix = createServer({ allowHalfOpen: true }, (socket) => {
    proxySockets.add(socket);
    server.emit('connection', socket);
  });
  return {
    all: [server, unix],
    open: async (address) => {
      const port = await listen(server, address);
      await listenOnSharedSocket(unix, socketDirectory);
      return port;
    },
  };
}

/** The proxy's configuration lists `0.sock` to `15.sock`. */
export const SHARED_SOCKETS = 16;
const LOCK_RETRY_MS = 20;
/** The lock is held for milliseconds: an older one belongs to a killed process. */
const LOCK_STALE_MS = 5000;

/** The directory's permissions protect the socket. @param identity where the search begins. @throws StartError */
export async function listenOnSharedSocket(server: Server, directory: string, identity = hostname()): Promise<string> {
  try {
    return await withLock(join(directory, 'lock'), async () => {
      const path = await freeSocket(directory, identity);
      rmSync(path, { force: true });
      server.listen({ path, backlog: serverLimits.backlog, readableAll: true, writableAll: true });
      await once(server, 'listening');
      return path;
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${directory} can't be written: set SOCKET_DIRECTORY`, { cause: error });
  }
}

async function freeSocket(directory: string, identity: string): Promise<string> {
  const first = createHash('sha256').update(identity).digest().readUInt32BE();
  for (let offset = 0; offset < SHARED_SOCKETS; offset += 1) {
    const path = join(directory, `${(first + offset) % SHARED_SOCKETS}.sock`);
    if (!(await accepts(path))) return path;
  }
  throw new StartError(`all ${SHARED_SOCKETS} sockets of ${directory} are in use`);
}

async function accepts(path: string): Promise<boolean> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A directory as a lock: mkdir is atomic on every file system and between containers. */
async function withLock<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  while (!tryLock(lock)) await wait(LOCK_RETRY_MS);
  try {
    return await work();
  } finally {
    rmdirSync(lock);
  }
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > LOCK_STALE_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
