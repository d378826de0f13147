import type { CallOptions } from './types.ts';

/** Path of an operation and the use of its input. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly gamePath?: string;
  readonly query?: readonly string[];
  readonly takesSession?: boolean;
  readonly hasBody?: boolean;
  readonly isText?: boolean;
  /** Field of the elements of a page. */
  readonly items?: string;
}

/** Arguments for `fetch`. */
export interface RequestParts {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string };
}

const OPTIONS: ReadonlySet<string> = new Set<keyof CallOptions>(['signal', 'sessionKey', 'headers']);

/**
 * Omits undefined values, and names that the operation does not have.
 *
 * @throws TypeError if a path parameter or the body is missing, or an option is unknown
 */
export function buildRequest(
  base: string,
  route: Route,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): RequestParts {
  const unknown = Object.keys(options).find((name) => !OPTIONS.has(name));
  if (unknown !== undefined)
    throw new TypeError(`${unknown} is not an option: parameters, and fields in \`body\`, are in the first argument`);
  if (route.hasBody && input['body'] === undefined) throw new TypeError('body is missing in the first argument');
  const { headers, sessionKey } = options;
  const template = route.gamePath !== undefined && input['game'] !== undefined ? route.gamePath : route.path;
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(name, input[name]));
  const query = new URLSearchParams();
  for (const name of route.query ?? []) {
    const value = input[name];
    if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return {
    url: base.replace(/\/+$/, '') + path + search,
    init: {
      method: route.method,
      headers: {
        ...headers,
        ...(route.hasBody && { 'Content-Type': 'application/json' }),
        ...(route.takesSession && sessionKey !== undefined && { 'X-Session-Key': sessionKey }),
      },
      ...(route.hasBody && { body: JSON.stringify(input['body']) }),
    },
  };
}

/** A dot or two, also encoded. */
const DOTS = /^(?:\.|%(?:25)*2E){1,2}$/i;

/** Encodes a value as one path segment, as the server takes it back; `.` and `..` would change the path. */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`${name} is missing`);
  const text = String(value);
  if (text === '') throw new TypeError(`${name} is empty`);
  const encoded = encodeURIComponent(text);
  return DOTS.test(text) ? encodeURIComponent(encoded.replaceAll('.', '%2E')) : encoded;
}
