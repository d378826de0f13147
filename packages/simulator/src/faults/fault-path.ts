/**
 * `*`: every page of the network. `/`: the homepage. Another path: itself and all below; with `*` at its end a plain
 * prefix.
 */
export function concerns(pattern: string, path: string): boolean {
  if (pattern === '*') return isOfTheSite(path);
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
  if (pattern === path) return true;
  return pattern !== '/' && path.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`);
}

export function isOfTheDoor(path: string): boolean {
  return isBelow('/simulator', path);
}

export function isOfTheSite(path: string): boolean {
  return !['/simulator', '/api/auth', '/discord'].some((root) => isBelow(root, path));
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
