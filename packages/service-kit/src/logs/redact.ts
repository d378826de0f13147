/** Bounds depth and length. Drops other properties of errors: libraries attach whole requests. */
export function redact(value: unknown): unknown {
  try {
    return clean(value, []);
  } catch {
    return '[unprintable]';
  }
}

export function redactText(text: string): string {
  const shortened = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}… (${text.length} characters)` : text;
  return shortened
    .replace(USER_INFO, `//${REDACTED}@`)
    .replace(CREDENTIALS, `$1${REDACTED}`)
    .replace(PAIR, `$1${REDACTED}`);
}

const REDACTED = '[redacted]';
const DEPTH_MAX = 6;
const ITEMS_MAX = 100;
const TEXT_MAX = 10_000;
const HEADER_NAME_MAX = 64;
const SECRET_KEY = /session.?key|password|passwd|passphrase|token|secret|authorization|api.?key|cookie/i;
const USER_INFO = /\/\/[^\s/?#@]*(?:@[^\s/?#@]*)*@/g;
const CREDENTIALS = /\b(authorization"?\s?[:=]\s?"?(?:[a-z]+ )?|bearer )[\w.~+/=-]+/gi;
/** A quoted value ends at its closing quote, any other at a space or `&`: keys may contain `,` and `;`. */
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
  // Expected while a dependency is down: it has no fault in the code, and its stack would hide the cause.
  const isExpected = code === 'unavailable';
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && !isExpected && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && { cause: isExpected ? causeOf(error) : clean(error.cause, path) }),
    ...(error instanceof AggregateError && { errors: clean(error.errors, path) }),
  };
}

function causeOf({ cause }: Error): string {
  return redactText(Error.isError(cause) ? cause.message : String(cause));
}

function cleanItems(items: readonly unknown[], path: readonly object[]): unknown[] {
  const cleaned = items
    .slice(0, ITEMS_MAX)
    .map((item, index) => (isSecretName(items[index - 1]) ? REDACTED : clean(item, path)));
  return items.length > ITEMS_MAX ? [...cleaned, `… (${items.length} items)`] : cleaned;
}

/** In a list of raw headers, the item after such a name is the secret. */
function isSecretName(item: unknown): boolean {
  return typeof item === 'string' && item.length <= HEADER_NAME_MAX && /^[\w-]+$/.test(item) && SECRET_KEY.test(item);
}

function cleanEntries(entries: readonly [unknown, unknown][], path: readonly object[]): unknown {
  const cleaned = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries.slice(0, ITEMS_MAX)) {
    cleaned[String(key)] = SECRET_KEY.test(String(key)) && value !== undefined ? REDACTED : clean(value, path);
  }
  if (entries.length > ITEMS_MAX) cleaned['…'] = `${entries.length} entries`;
  return cleaned;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
