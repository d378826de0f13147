import { styleText } from 'node:util';
import winston from 'winston';

const SERVICE_WIDTH = 11;
const LEVEL_COLOURS = { error: 'red', warn: 'yellow', info: 'green', debug: 'blue' } as const;
/** Control characters could move the cursor, and with it forge lines. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/** Entries for people at a terminal: aligned, stacks on lines of their own. */
export function prettyFormat(isColoured: boolean): winston.Logform.Format {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  return winston.format.printf(({ time, level, service, message, traceId: _, ...details }) => {
    const stacks: string[] = [];
    const fields = Object.entries(details)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${paint('dim', `${key}=`)}${printed(value, stacks)}`);
    const head = [
      paint('dim', String(time).slice(11, 19)),
      paint(LEVEL_COLOURS[level as keyof typeof LEVEL_COLOURS], level.padEnd(5)),
      paint('dim', String(service).padEnd(SERVICE_WIDTH)),
      visible(String(message)),
    ];
    return [[...head, ...fields].join(' '), ...stacks.map((stack) => paint('dim', indented(stack)))].join('\n');
  });
}

/** A detail as text; the stacks of an error and its causes go to `stacks`. */
function printed(value: unknown, stacks: string[]): string {
  if (typeof value === 'string' && /^[\w./:+-]+$/.test(value)) return value;
  for (let error = value; isErrorLike(error); error = error.cause) stacks.push(error.stack);
  return visible(JSON.stringify(isErrorLike(value) ? value.message : value));
}

function isErrorLike(value: unknown): value is { message: string; stack: string; cause?: unknown } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string';
}

function visible(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function indented(stack: string): string {
  return stack
    .split('\n')
    .map((line) => `         ${visible(line)}`)
    .join('\n');
}
