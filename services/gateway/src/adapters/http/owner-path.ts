import type { OwnedOperation, Values } from '../../domain/owners.ts';

/** What means itself in a query. */
const PLAIN = /^[\w.-]*$/;

/** Path and query under which an owner serves an operation: parameters in the operation's order, absent ones left out. */
export function ownerPath({ path }: OwnedOperation, params: Values, query: Values): string {
  const filled = path.includes(':')
    ? path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    : path;
  let search = '';
  for (const name in query) {
    const value = query[name];
    if (value !== undefined) search += `${search === '' ? '?' : '&'}${name}=${encoded(String(value))}`;
  }
  return filled + search;
}

/** As forms write it: a URL's own way costs far more, and most values need none. */
function encoded(value: string): string {
  return PLAIN.test(value) ? value : new URLSearchParams({ value }).toString().slice('value='.length);
}
