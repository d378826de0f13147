import { inspect } from 'node:util';
import winston from 'winston';
import { context, traceIdOf, type WorkContext } from '../context/work-context.ts';
import { redact, redactText } from './redact.ts';

const SPLAT = Symbol.for('splat');
const SERVICE = Symbol('service');
const CONTEXT = Symbol('context');
const TIME = Symbol('time');

/** For `defaultMeta`: winston reads these getters at the call, while a format may run later in another context. */
export function callMetadata(service: string): object {
  return {
    [SERVICE]: service,
    get [CONTEXT]() {
      return context.current();
    },
    get [TIME]() {
      return new Date().toISOString();
    },
  };
}

/** Redacts an entry and orders its fields: time, level, service, message, ids, details. */
export const entryFormat = winston.format((info) => {
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
