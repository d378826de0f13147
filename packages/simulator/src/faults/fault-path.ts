/**
 * `*` matches every page of the network, `/` the homepage, a path with `*` at its end any path with that prefix, and
 * another path itself and all below it.
 */
export function matchesPath(pattern: string, path: string): boolean {
  if (pattern === '*') return isSitePath(path);
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
  if (pattern === path) return true;
  return pattern !== '/' && path.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`);
}

export function isControlApiPath(path: string): boolean {
  return isBelow('/simulator', path);
}

export function isSitePath(path: string): boolean {
  return !['/simulator', '/api/auth', '/discord'].some((root) => isBelow(root, path));
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
