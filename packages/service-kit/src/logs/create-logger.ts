import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { inspect } from 'node:util';
import winston from 'winston';
import { context, type WorkContext } from '../context/work-context.ts';
import { redact } from './redact.ts';
import { renderJson, renderPretty, type LogEntry } from './render-line.ts';

/** A service's log. What an entry tells beside its sentence goes into the second argument; an error as `{ error }`. */
export type Logger = winston.Logger;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** `auto` is `pretty` on a terminal, else `json`. */
export const logFormats = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

export interface LoggerOptions {
  service: string;
  level: LogLevel;
  format: LogFormat;
  /** Takes each line, its newline included. Default: standard output. */
  write?: (line: string) => void;
}

/**
 * Makes a service's log: a line an entry, with the ids of the request or message that it was written for, without
 * secrets (see `redact`).
 */
export function createLogger({ service, level, format, write }: LoggerOptions): Logger {
  const onTerminal = write === undefined && process.stdout.isTTY;
  const pretty = format === 'pretty' || (format === 'auto' && onTerminal);
  const coloured = onTerminal && process.stdout.hasColors();
  const render = (entry: LogEntry) => (pretty ? renderPretty(entry, coloured) : renderJson(entry));
  const logger = winston.createLogger({
    levels: Object.fromEntries(logLevels.map((name, severity) => [name, severity])),
    level,
    defaultMeta: momentOf(service),
    // winston formats before it asks for the level: lines are rendered behind that.
    format: winston.format((info) => info)(),
  });
  logger.pipe(new LineWriter((entry) => logger.isLevelEnabled(entry.level), render, write));
  return logger;
}

/** A log that nobody reads, for tests. */
export function silentLogger(): Logger {
  return winston.createLogger({ silent: true });
}

/** Resolves when everything logged has been written. Nothing can be logged after it. */
export async function endLogger(logger: Logger): Promise<void> {
  const written = logger.transports.map((transport) => finished(transport, { readable: false }));
  logger.end();
  await Promise.all(written);
}

/** Where winston keeps what was given beside the message. */
const SPLAT = Symbol.for('splat');
const SERVICE = Symbol('service');
const CONTEXT = Symbol('context');
const TIME = Symbol('time');

/**
 * What winston copies into each entry at the moment of the call. Its formats may run later, in another context, when many
 * lines are written at once; these getters are read when the entry is made.
 */
function momentOf(service: string): object {
  return {
    [SERVICE]: service,
    get [CONTEXT]() {
      return context.current();
    },
    get [TIME]() {
      return new Date();
    },
  };
}

function entryOf(info: winston.Logform.TransformableInfo): LogEntry {
  const { level, message, ...meta } = info;
  const given = (info[SPLAT] as unknown[] | undefined)?.[0];
  return {
    time: info[TIME] as Date,
    level,
    service: info[SERVICE] as string,
    message: typeof message === 'string' ? message : inspect(redact(message)),
    context: info[CONTEXT] as WorkContext | undefined,
    // A message with a percent sign makes winston keep the details for a format that isn't in use here.
    meta: typeof given === 'object' && given !== null && !(given instanceof Error) ? { ...meta, ...given } : meta,
  };
}

class LineWriter extends Writable {
  readonly #isWanted: (entry: LogEntry) => boolean;
  readonly #render: (entry: LogEntry) => string;
  readonly #write: (line: string) => void;

  constructor(
    isWanted: (entry: LogEntry) => boolean,
    render: (entry: LogEntry) => string,
    write: (line: string) => void = (line) => process.stdout.write(line),
  ) {
    super({ objectMode: true });
    this.#isWanted = isWanted;
    this.#render = render;
    this.#write = write;
  }

  override _write(info: winston.Logform.TransformableInfo, _encoding: BufferEncoding, done: () => void): void {
    const entry = entryOf(info);
    if (this.#isWanted(entry)) this.#write(`${this.#render(entry)}\n`);
    done();
  }
}
