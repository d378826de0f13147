import type { OwnedOperation, Values } from '../../domain/owners.ts';

const PLAIN = /^[\w.-]*$/;

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

/** Form encoding. `encodeURIComponent` costs far more, and most values need none. */
function encoded(value: string): string {
  return PLAIN.test(value) ? value : new URLSearchParams({ value }).toString().slice('value='.length);
}
