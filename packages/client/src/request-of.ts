import type { CallOptions } from './types.ts';

/** Where an operation is, and what of an input goes where. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly gamePath?: string;
  readonly query?: readonly string[];
  readonly takesSession?: boolean;
  readonly hasBody?: boolean;
  readonly isText?: boolean;
}

/** What is given to `fetch`. */
export interface RequestParts {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string };
}

/**
 * The request of an input. What is undefined is left out; of the input no name goes into the URL that the operation doesn't have.
 *
 * @throws TypeError when a parameter of the path is missing
 */
export function requestOf(
  base: string,
  route: Route,
  input: Readonly<Record<string, unknown>>,
  { headers, sessionKey }: CallOptions,
): RequestParts {
  const template = route.gamePath !== undefined && input['game'] !== undefined ? route.gamePath : route.path;
  const path = template.replace(/:(\w+)/g, (_, name: string) => segmentOf(name, input[name]));
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

/** A segment of its own, whatever is in it: dots alone would lead elsewhere. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`${name} is missing`);
  const text = String(value);
  if (text === '') throw new TypeError(`${name} is empty`);
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text);
}
