const MAX_COUNT = 1_000_000_000;

/**
 * A count as a page writes it: digits, or groups of three with one separator (`1,234`, `1.234`, `1 234`, `1'234`).
 * Undefined for anything else.
 */
export function readCount(text: string): number | undefined {
  if (!/^\d+$|^\d{1,3}(?:([,.'’ ])\d{3})(?:\1\d{3})*$/.test(text)) return undefined;
  const count = Number(text.replace(/\D/g, ''));
  return count <= MAX_COUNT ? count : undefined;
}

/** Players in a match: `3/8`, or `3` without a capacity (`maxPlayers` is 0 then). Undefined for anything else. */
export function readPlayerCount(text: string): { players: number; maxPlayers: number } | undefined {
  const [have = '', fit, ...more] = text.split('/').map((part) => part.trim());
  const players = readCount(have);
  const maxPlayers = fit === undefined ? 0 : readCount(fit);
  return players === undefined || maxPlayers === undefined || more.length > 0 ? undefined : { players, maxPlayers };
}
