/** Paths of the images for link previews; `:game` is a name or title ID. */
export const imagePaths = {
  site: '/og/site.png',
  game: '/og/game/:game.png',
  leaderboard: '/og/game/:game/leaderboard/:leaderboardId.png',
  player: '/og/u/:name.png',
} as const;
