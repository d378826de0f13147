import { styleText } from 'node:util';
import winston from 'winston';

const SERVICE_WIDTH = 11;
const LEVEL_COLOURS = { error: 'red', warn: 'yellow', info: 'green', debug: 'blue' } as const;
/** Control characters could forge lines by moving the cursor. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

export function prettyFormat(isColoured: boolean): winston.Logform.Format {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  return winston.format.printf(({ time, level, service, message, traceId: _, ...details }) => {
    const stacks: string[] = [];
    const fields = Object.entries(details)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${paint('dim', `${key}=`)}${formatValue(value, stacks)}`);
    const head = [
      paint('dim', String(time).slice(11, 19)),
      paint(LEVEL_COLOURS[level as keyof typeof LEVEL_COLOURS], level.padEnd(5)),
      paint('dim', String(service).padEnd(SERVICE_WIDTH)),
      escapeControls(String(message)),
    ];
    return [[...head, ...fields].join(' '), ...stacks.map((stack) => paint('dim', indent(stack)))].join('\n');
  });
}

function formatValue(value: unknown, stacks: string[]): string {
  if (typeof value === 'string' && /^[\w./:+-]+$/.test(value)) return value;
  for (let error = value; isErrorLike(error); error = error.cause) stacks.push(error.stack);
  const shown = isErrorLike(value) ? value.message : isExpectedError(value) ? shownExpected(value) : value;
  return escapeControls(JSON.stringify(shown));
}

function isErrorLike(value: unknown): value is { message: string; stack: string; cause?: unknown } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string';
}

interface ExpectedError {
  message: string;
  code: 'unavailable';
  cause?: string;
}

/** Without a stack (redact.ts). */
function isExpectedError(value: unknown): value is ExpectedError {
  return (
    typeof value === 'object' && value !== null && 'message' in value && 'code' in value && value.code === 'unavailable'
  );
}

function shownExpected({ message, cause }: ExpectedError): string {
  return cause === undefined || message.includes(cause) ? message : `${message} (${cause})`;
}

export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function indent(stack: string): string {
  return stack
    .split('\n')
    .map((line) => `         ${escapeControls(line)}`)
    .join('\n');
}
