import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request as it goes over the wire, and the status that its answer must have. */
interface Load {
  /** Where the server listens. */
  readonly url: string;
  /** Connections, each with one request under way. */
  readonly connections: number;
  /** How many requests there are. */
  readonly count: number;
  /** The bytes of one of them, as latin1. */
  readonly requestOf: (number: number) => string;
}

/** From the first byte out to the last byte in. */
interface Sent {
  readonly ms: number;
  /** How many had to be sent again. */
  readonly again: number;
}

/** What there is to ask for. */
interface Work {
  readonly take: () => number | undefined;
  readonly requestOf: Load['requestOf'];
  readonly refused: (number: number) => void;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\nContent-Length: (\d+)/i;
const STATUS = /^HTTP\/1\.1 (200|503) /;

/**
 * Sends requests over connections that are kept, each when the one before it is answered, with next to no work of its own:
 * whoever measures a server on the same machine takes little from it.
 *
 * What is answered with 503 is sent again.
 *
 * @throws Error at the first answer that is neither a 200 nor a 503, or at a connection that breaks
 */
export async function sendAll(load: Load): Promise<Sent> {
  const { hostname, port } = new URL(load.url);
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(hostname, Number(port))));
  const began = performance.now();
  const refused: number[] = [];
  let [next, again] = [0, 0];
  const work: Work = {
    take: () => {
      if (next < load.count) {
        next += 1;
        return next - 1;
      }
      again += refused.length > 0 ? 1 : 0;
      return refused.shift();
    },
    requestOf: load.requestOf,
    refused: (number) => refused.push(number),
  };
  try {
    await Promise.all(sockets.map((socket) => keepAsking(socket, work)));
    return { ms: performance.now() - began, again };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function open(host: string, port: number): Promise<Socket> {
  const socket = connect(port, host).setNoDelay(true).setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

function keepAsking(socket: Socket, { take, requestOf, refused }: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    let number: number | undefined;
    const ask = () => {
      number = take();
      if (number === undefined) resolve();
      else socket.write(requestOf(number), 'latin1');
    };
    socket.on('data', (chunk) => {
      received += String(chunk);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const length = Number(LENGTH.exec(received)?.[1] ?? Number.NaN);
      const status = STATUS.exec(received)?.[1];
      if (status === undefined || Number.isNaN(length)) {
        reject(new Error(`An answer is none that was wanted: ${received}`));
        return;
      }
      if (received.length < headEnd + HEAD_END.length + length) return;
      received = '';
      if (status === '503' && number !== undefined) refused(number);
      ask();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('A connection was closed')));
    ask();
  });
}
