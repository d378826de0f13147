import type { Values } from '../upstreams/upstreams.ts';

export type PageUrls = ReturnType<typeof pageUrls>;

/** Absolute URLs of the web site's pages. @param publicUrl base URL, with or without a path */
export function pageUrls(publicUrl: string) {
  const base = publicUrl.replace(/\/+$/, '');
  const segment = (text: string) => encodeURIComponent(text.toWellFormed());
  return {
    /** @param path begins with a slash */
    of: (path: string, query: Values = {}) => base + path + queryOf(query),
    game: (titleId: string) => `${base}/game/${segment(titleId)}`,
    leaderboard: (titleId: string, leaderboardId: number) =>
      `${base}/game/${segment(titleId)}/leaderboard/${leaderboardId}`,
    player: (name: string) => `${base}/u/${segment(name)}`,
  };
}

function queryOf(query: Values): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
