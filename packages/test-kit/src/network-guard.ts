import { BlockList, isIP, Socket, type LookupFunction } from 'node:net';
import process from 'node:process';

export interface NetworkGuard {
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
 * Refuses every connection that leaves the machine, from any client, before a name lookup. Guards sockets, since nock
 * slows loopback. Jest shares `node:net` in a worker, so it is installed once.
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
    const error = new Error(`Tests must not open external connections: ${target}`);
    // Fails the name lookup: nock would take a destroyed socket for connected.
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

function outsideTarget(args: unknown[]): string | undefined {
  // net.connect() passes its arguments as one array.
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
