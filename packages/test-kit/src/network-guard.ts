import { BlockList, isIP, Socket, type LookupFunction } from 'node:net';
import process from 'node:process';

/** What the guard has seen since it was installed in this process. */
export interface NetworkGuard {
  /** Takes the `host:port` of every connection that was refused since the last call. */
  takeRefused: () => string[];
}

type Connect = (this: Socket, ...args: unknown[]) => Socket;

const INSTALLED = Symbol.for('lobbystats.network-guard');
const sockets = Socket.prototype as unknown as { connect: Connect; [INSTALLED]: NetworkGuard | undefined };

const thisMachine = new BlockList();
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('::1', 'ipv6');
thisMachine.addAddress('0.0.0.0', 'ipv4');
thisMachine.addAddress('::', 'ipv6');

/**
 * Makes every TCP connection of this process that leaves the machine fail before a name is looked up or a packet sent,
 * whatever client opens it: node:http, fetch, undici, TLS, a driver. Loopback and sockets in the file system pass.
 * Processes that a test starts have no guard.
 *
 * It guards the socket, because nock sees each request on its way and makes those on loopback three times slower.
 * Jest gives all suites of a worker one `node:net`, so the guard is installed once and outlives a suite.
 */
export function guardNetwork(): NetworkGuard {
  return (sockets[INSTALLED] ??= install());
}

function install(): NetworkGuard {
  let refused: string[] = [];
  const { connect } = sockets;
  sockets.connect = function (...args) {
    const target = outsideTarget(args);
    if (target === undefined) return connect.apply(this, args);
    refused.push(target);
    const error = new Error(`Tests talk to this machine alone: no connection to ${target}`);
    // The name lookup fails. A socket destroyed at once never connects, and nock would take it for connected.
    const lookup: LookupFunction = (_name, _options, callback) => process.nextTick(callback, error, '');
    return connect.call(this, { port: 1, host: 'refused.invalid', lookup });
  };
  return {
    takeRefused: () => {
      const taken = refused;
      refused = [];
      return taken;
    },
  };
}

/** Where `socket.connect(...args)` would leave the machine to, or undefined when it would stay. */
function outsideTarget(args: unknown[]): string | undefined {
  // net.connect() hands its arguments on as one array: the options and the listener.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: second };
  const { host, port, path } = options as { host?: unknown; port?: unknown; path?: unknown };
  const toFileSystem = typeof path === 'string' || (typeof port === 'string' && !/^\d+$/.test(port));
  if (toFileSystem || typeof host !== 'string' || isThisMachine(host)) return undefined;
  return `${host}:${String(port)}`;
}

function isThisMachine(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return /^(.+\.)?localhost\.?$/i.test(host);
  return thisMachine.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
