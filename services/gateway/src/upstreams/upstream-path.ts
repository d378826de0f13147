import type { UpstreamOperation, Values } from './upstreams.ts';

const PLAIN = /^[\w.-]*$/;

export function upstreamPath({ path }: UpstreamOperation, params: Values, query: Values): string {
  const filled = path.includes(':')
    ? path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    : path;
  let search = '';
  for (const name in query) {
    const value = query[name];
    if (value !== undefined) search += `${search === '' ? '?' : '&'}${name}=${encodeQueryValue(String(value))}`;
  }
  return filled + search;
}

/** Applies form encoding. Most values need none, and the check is cheaper. */
function encodeQueryValue(value: string): string {
  return PLAIN.test(value) ? value : new URLSearchParams({ value }).toString().slice('value='.length);
}
