import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

/** A start that failed for a reason that the operator can mend: its message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Where to listen, and the setting that says so. */
export interface Address {
  host: string;
  /** 0: any free one. */
  port: number;
  setting: string;
  /** The setting of the host. Default: HOST. */
  hostSetting?: string;
}

const REASONS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ port, setting }) => `port ${port} is in use: set ${setting}`,
  EACCES: ({ port, setting }) => `port ${port} may not be used by this user: set ${setting}`,
  EADDRNOTAVAIL: ({ host, hostSetting = 'HOST' }) => `${host} is no address of this machine: set ${hostSetting}`,
  ENOTFOUND: ({ host, hostSetting = 'HOST' }) => `${host} is not known: set ${hostSetting}`,
};

/** What an operator is told when listening failed; any other error stays as it is. */
export function asStartError(error: unknown, address: Address): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? error : new StartError(reason(address), { cause: error });
}

/**
 * Listens, and gives the port.
 *
 * @throws StartError when the address can't be had
 */
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

/** The URL under which a server can be reached from its own machine. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
