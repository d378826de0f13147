import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface Address {
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
    server.listen({ ...options, host, port });
    await once(server, 'listening');
  } catch (error) {
    throw asStartError(error, address);
  }
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server listens on no port');
  return bound.port;
}

export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
