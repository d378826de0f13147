import type { OwnedOperation, Values } from '../../domain/owners.ts';

/** Path and query under which an owner serves an operation: parameters in the operation's order, absent ones left out. */
export function ownerPath({ path }: OwnedOperation, params: Values, query: Values): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
