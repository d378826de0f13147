import { imagePaths } from '../images/image-paths.ts';
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
    /** For link previews: `og:image`. */
    images: {
      site: base + imagePaths.site,
      game: (titleId: string) => base + imagePaths.game.replace(':game', segment(titleId)),
      leaderboard: (titleId: string, leaderboardId: number) =>
        base +
        imagePaths.leaderboard.replace(':game', segment(titleId)).replace(':leaderboardId', String(leaderboardId)),
      player: (name: string) => base + imagePaths.player.replace(':name', segment(name)),
    },
  };
}

function queryOf(query: Values): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}
