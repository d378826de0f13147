/**
 * Whether a fault on `pattern` concerns a request for `path`. `*` is every page of the network's site, but neither the
 * services beside it nor the simulator's own door; anything else is a path, with all that lies below it, except that `/` is the homepage alone; a
 * `*` at the end makes it a plain prefix.
 */
export function concerns(pattern: string, path: string): boolean {
  if (pattern === '*') return isOfTheSite(path);
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
  if (pattern === path) return true;
  return pattern !== '/' && path.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`);
}

/** Whether a path belongs to the simulator's own door rather than to the network that it simulates. */
export function isOfTheDoor(path: string): boolean {
  return isBelow('/simulator', path);
}

/** Whether a path belongs to the network's site: not to the door, nor to the auth service or Discord. */
export function isOfTheSite(path: string): boolean {
  return !['/simulator', '/api/auth', '/discord'].some((root) => isBelow(root, path));
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
