import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from './listen.ts';

/** The proxy's configuration lists `0.sock` to `31.sock`. */
export const SHARED_SOCKETS = 32;
const LOCK_RETRY_MS = 20;
/** The lock is held for milliseconds: an older one belongs to a killed process. */
const LOCK_STALE_MS = 5000;

/** The directory's permissions protect the socket. @param identity where the search begins. @throws StartError */
export async function listenOnSharedSocket(server: Server, directory: string, identity = hostname()): Promise<string> {
  try {
    return await withLock(join(directory, 'lock'), async () => {
      const path = await freeSocket(directory, identity);
      rmSync(path, { force: true });
      server.listen({ path, readableAll: true, writableAll: true });
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
