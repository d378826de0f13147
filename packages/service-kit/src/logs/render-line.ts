import type { WorkContext } from '../context/work-context.ts';
import { traceIdOf } from '../context/traceparent.ts';
import { redact, redactText } from './redact.ts';

/** What a line of the log says. */
export interface LogEntry {
  time: Date;
  level: string;
  service: string;
  message: string;
  context: WorkContext | undefined;
  meta: Record<string, unknown>;
}

/** An entry as one line of JSON, for machines. */
export function renderJson(entry: LogEntry): string {
  const { time, level, service, message } = entry;
  const head = { time: time.toISOString(), level, service, message: redactText(message), ...idsOf(entry.context) };
  return JSON.stringify({ ...head, ...(redact(entry.meta) as object), ...head });
}

/** An entry for people at a terminal: aligned, in colour where that is shown, stacks on lines of their own. */
export function renderPretty(entry: LogEntry, coloured: boolean): string {
  const paint = (code: number, text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const stacks: string[] = [];
  const details = Object.entries({ ...idsOf(entry.context), ...(redact(entry.meta) as object) })
    .filter(([key, value]) => value !== undefined && key !== 'traceId')
    .map(([key, value]) => `${paint(DIM, `${key}=`)}${renderDetail(value, stacks)}`);
  const head = [
    paint(DIM, entry.time.toISOString().slice(11, 19)),
    paint(LEVEL_COLOURS[entry.level] ?? DIM, entry.level.padEnd(5)),
    paint(DIM, entry.service.padEnd(SERVICE_WIDTH)),
    visible(redactText(entry.message)),
  ];
  return [[...head, ...details].join(' '), ...stacks.map((stack) => paint(DIM, indent(stack)))].join('\n');
}

const DIM = 2;
const SERVICE_WIDTH = 11;
const LEVEL_COLOURS: Readonly<Record<string, number>> = { error: 31, warn: 33, info: 32, debug: 34 };
/** Control characters could move the cursor, and with it make lines that nobody logged. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

function idsOf(context: WorkContext | undefined): object {
  if (context === undefined) return {};
  const { requestId, messageId, traceparent } = context;
  return {
    ...(requestId !== undefined && { requestId }),
    ...(messageId !== undefined && { messageId }),
    traceId: traceIdOf(traceparent),
  };
}

/** One detail as text; an error's stack and those of its causes go to `stacks`. */
function renderDetail(value: unknown, stacks: string[]): string {
  if (typeof value === 'string') return /^[\w./:+-]+$/.test(value) ? value : visible(JSON.stringify(value));
  if (!isErrorLike(value)) return visible(JSON.stringify(value));
  for (let error: unknown = value; isErrorLike(error); error = error.cause) stacks.push(error.stack);
  return visible(JSON.stringify(value.message));
}

function isErrorLike(value: unknown): value is { message: string; stack: string; cause?: unknown } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string';
}

function visible(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function indent(stack: string): string {
  return stack
    .split('\n')
    .map((line) => `         ${visible(line)}`)
    .join('\n');
}
