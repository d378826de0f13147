import { atTurnsEnd } from '@lobbystats/service-kit';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { atDeadline } from './at-deadline.ts';
import {
  NoAnswerError,
  type AnswerUnderWay,
  type AskedRequest,
  type FetchLimits,
  type WholeAnswer,
} from './fetch-answer.ts';
import { PlainExchange } from './plain-exchange.ts';

export interface PlainLineOptions {
  /** An address of `http:`. */
  origin: string;
  /** Connections at most; further questions wait for one. */
  connections: number;
  connectTimeoutMs: number;
  /** From when on a connection is replaced by a new one, which may go to somebody who has come meanwhile. */
  lifetimeMs: number;
  lookup: LookupFunction;
}

/** What is read from a connection is taken from here at once: all connections share it. */
const RECEIVED = Buffer.allocUnsafeSlow(64 * 1024);
/** What may stand in the first line and in a field of a request. */
const PATH = /^\/[\x21-\x7e]*$/;
const VALUE = /^[\x20-\x7e]*$/;

interface Connection {
  readonly socket: Socket;
  /** By `performance.now`. */
  readonly openedMs: number;
  exchange: PlainExchange | undefined;
  /** Whether another has taken its place. */
  isReplaced: boolean;
}

/**
 * Asks for what has no body, and understands the plainest answers alone, those that our own services give: a connection of ours
 * costs half of what a whole HTTP client's does. What it does not understand is `intricate`.
 */
export class PlainLine {
  readonly #options: PlainLineOptions;
  readonly #host: string;
  readonly #port: number;
  readonly #hostField: string;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  readonly #waiting: PlainExchange[] = [];
  /** What is to take the place of a connection, or has done so last. */
  #successor: Socket | undefined;
  #isClosed = false;

  constructor(options: PlainLineOptions) {
    const { hostname, port, host } = new URL(options.origin);
    this.#options = options;
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = port === '' ? 80 : Number(port);
    this.#hostField = host;
  }

  /** @throws NoAnswerError */
  fetch(request: AskedRequest, limits: FetchLimits): Promise<WholeAnswer | AnswerUnderWay> {
    return new Promise((resolve, reject) => {
      this.#place(new PlainExchange(this.#textOf(request), limits, resolve, reject));
    });
  }

  /** Cuts off what is under way. */
  close(): void {
    this.#isClosed = true;
    for (const exchange of this.#waiting.splice(0)) exchange.fail(new NoAnswerError('unusable', 'closed'));
    for (const { socket } of this.#open) socket.destroy();
  }

  #place(exchange: PlainExchange): void {
    const free = this.#idle.pop();
    if (this.#isClosed) exchange.fail(new NoAnswerError('unusable', 'closed'));
    else if (free !== undefined) this.#send(free, exchange);
    else if (this.#open.size < this.#options.connections) this.#connect(exchange);
    else this.#waiting.push(exchange);
  }

  #send(connection: Connection, exchange: PlainExchange): void {
    const { socket } = connection;
    connection.exchange = exchange;
    exchange.sentOver({
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      abort: () => socket.destroy(),
    });
    atTurnsEnd(() => socket.write(exchange.text, 'latin1'));
  }

  /** @param connected called before anything is sent over it */
  #connect(exchange: PlainExchange | undefined, connected?: () => void): Socket {
    const socket: Socket = connect({
      host: this.#host,
      port: this.#port,
      lookup: this.#options.lookup,
      noDelay: true,
      onread: {
        buffer: RECEIVED,
        callback: (length: number): boolean => {
          this.#receive(connection, RECEIVED.subarray(0, length));
          return !socket.isPaused();
        },
      },
    });
    const connection: Connection = { socket, openedMs: performance.now(), exchange, isReplaced: false };
    this.#open.add(connection);
    let fault: Error | undefined;
    const tooLate = atDeadline(this.#options.connectTimeoutMs, () => {
      if (socket.connecting) socket.destroy(new Error('no connection in time'));
    });
    socket.once('connect', () => {
      clearTimeout(tooLate);
      connected?.();
      // Whoever wanted it may have given up by now.
      connection.exchange = undefined;
      if (exchange === undefined || exchange.isOver) this.#release(connection);
      else this.#send(connection, exchange);
    });
    socket.on('error', (error) => {
      fault = error;
    });
    socket.once('close', () => {
      clearTimeout(tooLate);
      this.#forget(connection, fault);
    });
    return socket;
  }

  /**
   * Replaces it once another is there, one at a time: where there is too much to do a new connection waits for long to be taken
   * in, and who gave up the old ones first would have none.
   */
  #replace(old: Connection): void {
    if (this.#successor?.connecting === true) return;
    this.#successor = this.#connect(undefined, () => {
      old.isReplaced = true;
      if (old.exchange !== undefined) return;
      this.#unlist(old);
      old.socket.destroy();
    });
  }

  #receive(connection: Connection, bytes: Buffer): void {
    const { exchange, socket } = connection;
    const progress = exchange?.receive(bytes) ?? 'over';
    if (progress === 'more') return;
    connection.exchange = undefined;
    if (progress === 'over' || exchange?.isLast === true || connection.isReplaced) {
      socket.destroy();
      return;
    }
    if (this.#isOld(connection)) this.#replace(connection);
    // A reader who was slow to the last has left it paused.
    if (socket.isPaused()) socket.resume();
    this.#release(connection);
  }

  #isOld({ openedMs }: Connection): boolean {
    return performance.now() - openedMs >= this.#options.lifetimeMs;
  }

  /** Who has waited longest takes a connection that is free. */
  #release(connection: Connection): void {
    const next = this.#next();
    if (next === undefined) this.#idle.push(connection);
    else this.#send(connection, next);
  }

  #forget(connection: Connection, fault: Error | undefined): void {
    this.#open.delete(connection);
    this.#unlist(connection);
    connection.exchange?.closed(fault);
    const next = this.#isClosed ? undefined : this.#next();
    if (next !== undefined) this.#place(next);
  }

  /** Nobody is given it any more. */
  #unlist(connection: Connection): void {
    const place = this.#idle.indexOf(connection);
    if (place !== -1) this.#idle.splice(place, 1);
  }

  #next(): PlainExchange | undefined {
    let next = this.#waiting.shift();
    while (next?.isWanted === false) next = this.#waiting.shift();
    return next;
  }

  #textOf({ method, path, headers }: AskedRequest): string {
    let text = `${method} ${path} HTTP/1.1\r\nhost: ${this.#hostField}\r\n`;
    let isSound = PATH.test(path);
    for (const name in headers) {
      const value = headers[name] ?? '';
      isSound &&= VALUE.test(value);
      text += `${name}: ${value}\r\n`;
    }
    if (!isSound) throw new NoAnswerError('intricate', 'no plain request');
    return `${text}\r\n`;
  }
}
