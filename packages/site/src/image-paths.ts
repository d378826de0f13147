/** Paths of the images for link previews, of badges and of icons; `:game` is a name or title ID. */
export const imagePaths = {
  site: '/og/site.png',
  game: '/og/game/:game.png',
  leaderboard: '/og/game/:game/leaderboard/:leaderboardId.png',
  badge: '/badge/game/:game.svg',
  badgePicture: '/badge/game/:game.png',
  icon: '/icon/:titleId',
  player: '/og/u/:name.png',
} as const;
