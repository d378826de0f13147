import { inspect } from 'node:util';
import winston from 'winston';
import { traceIdOf } from '../context/traceparent.ts';
import { context, type WorkContext } from '../context/work-context.ts';
import { redact, redactText } from './redact.ts';

/** Where winston keeps what was given beside the message. */
const SPLAT = Symbol.for('splat');
const SERVICE = Symbol('service');
const CONTEXT = Symbol('context');
const TIME = Symbol('time');

/**
 * The `defaultMeta` of a logger. A format may run later than the call, in another context; winston reads these getters at the
 * call.
 */
export function momentOfCall(service: string): object {
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

/** An entry in its shape, redacted: time, level, service, message, ids, details. */
export const entryFormat = winston.format((info) => {
  const { level, message, ...meta } = info;
  // For a message with a percent sign winston leaves the details to format.splat, which would fill them in.
  const given = (info[SPLAT] as unknown[] | undefined)?.[0];
  const details = typeof given === 'object' && !(given instanceof Error) ? { ...meta, ...given } : meta;
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
