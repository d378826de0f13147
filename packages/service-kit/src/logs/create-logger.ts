import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import winston from 'winston';
import { entryFormat, momentOfCall } from './entry-format.ts';
import { prettyFormat } from './pretty-format.ts';

/** A service's log. Details of an entry go into the second argument; an error as `{ error }`. */
export type Logger = winston.Logger;

/** Levels of winston. */
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

/** A service's log: a line an entry, with the ids of the request or message at hand, without secrets (see `redact`). */
export function createLogger({ service, level, format, write }: LoggerOptions): Logger {
  const onTerminal = write === undefined && process.stdout.isTTY;
  const isPretty = format === 'pretty' || (format === 'auto' && onTerminal);
  const { combine, json } = winston.format;
  const lineFormat = isPretty ? prettyFormat(onTerminal && process.stdout.hasColors()) : json({ deterministic: false });
  return winston.createLogger({
    level,
    defaultMeta: momentOfCall(service),
    // The logger's own format runs before the level is checked, that of a transport after it.
    format: winston.format((info) => info)(),
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- winston declares it as an interface
    transports: new winston.transports.Stream({
      stream: write === undefined ? process.stdout : lineStream(write),
      eol: '\n',
      format: combine(entryFormat(), lineFormat),
    }),
  });
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

function lineStream(writeLine: (line: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      writeLine(line);
      done();
    },
  });
}
