/**
 * Whether a fault on `pattern` concerns a request for `path`. `*` is every page of the network, but not the
 * simulator's own door; anything else is a path, with all that lies below it, except that `/` is the homepage alone; a
 * `*` at the end makes it a plain prefix.
 */
export function concerns(pattern: string, path: string): boolean {
  if (pattern === '*') return !isOfTheDoor(path);
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
  if (pattern === path) return true;
  return pattern !== '/' && path.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`);
}

/** Whether a path belongs to the simulator's own door rather than to the network that it simulates. */
export function isOfTheDoor(path: string): boolean {
  return path === '/simulator' || path.startsWith('/simulator/');
}
