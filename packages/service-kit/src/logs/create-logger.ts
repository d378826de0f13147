import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { inspect } from 'node:util';
import winston from 'winston';
import { traceIdOf, context, type WorkContext } from '../context/work-context.ts';
import { prettyFormat } from './pretty-format.ts';
import { redact, redactText } from './redact.ts';

/** Details of an entry go into the second argument, errors as `{ error }`. */
export type Logger = winston.Logger;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

interface LoggerOptions {
  service: string;
  level: LogLevel;
  /** Default: pretty on a terminal. */
  format?: 'json' | 'pretty';
  /** Receives each line with its newline. Default: standard output. */
  write?: (line: string) => void;
}

export function createLogger({ service, level, format, write }: LoggerOptions): Logger {
  const onTerminal = write === undefined && process.stdout.isTTY;
  const isPretty = format === undefined ? onTerminal : format === 'pretty';
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

const SPLAT = Symbol.for('splat');
const SERVICE = Symbol('service');
const CONTEXT = Symbol('context');
const TIME = Symbol('time');

/** For `defaultMeta`: winston reads these getters at the call, while a format may run later in another context. */
function callMetadata(service: string): object {
  return {
    [SERVICE]: service,
    get [CONTEXT]() {
      return context.getStore();
    },
    get [TIME]() {
      return new Date().toISOString();
    },
  };
}

/** Redacts an entry and orders its fields: time, level, service, message, ids, details. */
const entryFormat = winston.format((info) => {
  const { level, message, ...meta } = info;
  // Winston doesn't merge the details if the message contains a percent sign: they are meant for format.splat.
  const argument = (info[SPLAT] as unknown[] | undefined)?.[0];
  const details = typeof argument === 'object' && !(argument instanceof Error) ? { ...meta, ...argument } : meta;
  const head = {
    time: info[TIME],
    level,
    service: info[SERVICE],
    message: redactText(typeof message === 'string' ? message : inspect(redact(message))),
    ...idsOf(info[CONTEXT] as WorkContext | undefined),
  };
  return { ...head, ...(redact(details) as object), ...head };
});

function idsOf(current: WorkContext | undefined): object {
  if (current === undefined) return {};
  const { requestId, messageId, traceparent } = current;
  return {
    ...(requestId !== undefined && { requestId }),
    ...(messageId !== undefined && { messageId }),
    traceId: traceIdOf(traceparent),
  };
}
