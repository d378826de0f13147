/**
 * Makes what a log entry tells printable: secrets are blotted out by the key that they stand under, in `key=value` texts
 * and in URLs; cycles, depth and length are bounded; errors become their message, stack, code and cause, and nothing of
 * what a library has hung on them.
 */
export function redact(value: unknown): unknown {
  try {
    return clean(value, []);
  } catch {
    return '[unprintable]';
  }
}

/** Blots out secrets inside a text. */
export function redactText(text: string): string {
  const shown = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}… (${text.length} characters)` : text;
  return shown.replace(USER_INFO, `//${BLOT}@`).replace(CREDENTIALS, `$1${BLOT}`).replace(PAIR, `$1${BLOT}`);
}

const BLOT = '[redacted]';
const DEPTH_MAX = 6;
const ITEMS_MAX = 100;
const TEXT_MAX = 10_000;
/** Longer than the name of any header. */
const NAME_MAX = 64;
const SECRET_KEY = /session.?key|password|passwd|passphrase|token|secret|authorization|api.?key|cookie/i;
const USER_INFO = /\/\/[^\s/?#@]*(?:@[^\s/?#@]*)*@/g;
const CREDENTIALS = /\b(authorization"?\s?[:=]\s?"?(?:[a-z]+ )?|bearer )[\w.~+/=-]+/gi;
/** A value in quotes reaches to the closing one, any other to a space or the next parameter: keys may hold `,` and `;`. */
const PAIR =
  /((?:session(?:[_-]|%5f|%2d)?key|password|passwd|token|secret|api[_-]?key)(?:\\*["']|%22)?\s?(?:=|:|%3[ad])\s?\\*["']?)(?:(?<=")(?:[^"\\]|\\.)+|(?<=')(?:[^'\\]|\\.)+|[^\s"&]+)/gi;

function clean(value: unknown, above: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
      return redactText(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return `[function ${value.name}]`;
    case 'object':
      return value === null ? null : cleanObject(value, above);
    default:
      return value;
  }
}

function cleanObject(value: object, above: readonly object[]): unknown {
  if (above.includes(value)) return '[circular]';
  if (above.length >= DEPTH_MAX) return '[deep]';
  const path = [...above, value];
  if (Error.isError(value)) return cleanError(value, path);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return cleanItems(value, path);
  if (value instanceof Set) return cleanItems([...value], path);
  if (value instanceof Map) return cleanEntries([...value] as [unknown, unknown][], path);
  if (hasToJson(value)) return clean(value.toJSON(), path);
  return cleanEntries(Object.entries(value), path);
}

function cleanError(error: Error, path: readonly object[]): unknown {
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && { cause: clean(error.cause, path) }),
    ...(error instanceof AggregateError && { errors: clean(error.errors, path) }),
  };
}

function cleanItems(items: readonly unknown[], path: readonly object[]): unknown[] {
  const shown = items.slice(0, ITEMS_MAX).map((item, index) => (isNamed(items[index - 1]) ? BLOT : clean(item, path)));
  return items.length > ITEMS_MAX ? [...shown, `… (${items.length} items)`] : shown;
}

/** Whether an item is the name of a secret, as in a list of raw headers: what follows it is the secret. */
function isNamed(item: unknown): boolean {
  return typeof item === 'string' && item.length <= NAME_MAX && /^[\w-]+$/.test(item) && SECRET_KEY.test(item);
}

function cleanEntries(entries: readonly [unknown, unknown][], path: readonly object[]): unknown {
  const shown = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries.slice(0, ITEMS_MAX)) {
    shown[String(key)] = SECRET_KEY.test(String(key)) && value !== undefined ? BLOT : clean(value, path);
  }
  if (entries.length > ITEMS_MAX) shown['…'] = `${entries.length} entries`;
  return shown;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
