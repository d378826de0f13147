import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import winston from 'winston';
import { callMetadata, entryFormat } from './entry-format.ts';
import { prettyFormat } from './pretty-format.ts';

/** Details of an entry go into the second argument, errors as `{ error }`. */
export type Logger = winston.Logger;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

interface LoggerOptions {
  service: string;
  level: LogLevel;
  format: LogFormat;
  /** Receives each line with its newline. Default: standard output. */
  write?: (line: string) => void;
}

export function createLogger({ service, level, format, write }: LoggerOptions): Logger {
  const onTerminal = write === undefined && process.stdout.isTTY;
  const isPretty = format === 'pretty' || (format === 'auto' && onTerminal);
  const { combine, json } = winston.format;
  const lineFormat = isPretty ? prettyFormat(onTerminal && process.stdout.hasColors()) : json({ deterministic: false });
  return winston.createLogger({
    level,
    defaultMeta: callMetadata(service),
    // A logger's format runs before the level check, a transport's after it.
    format: winston.format((info) => info)(),
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- winston declares it as an interface
    transports: new winston.transports.Stream({
      stream: write === undefined ? process.stdout : lineStream(write),
      eol: '\n',
      format: combine(entryFormat(), lineFormat),
    }),
  });
}

export function silentLogger(): Logger {
  return winston.createLogger({ silent: true });
}

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
