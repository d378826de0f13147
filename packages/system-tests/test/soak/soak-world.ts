/** Options of the simulated network in a soak; all others have their defaults. */
export interface WorldOptions {
  readonly titles: number;
  readonly openMatches: number;
}

/** Default number of open matches per title. */
const MATCHES_PER_TITLE = 0.4;

export function soakWorld(titles: number): WorldOptions {
  return { titles, openMatches: Math.round(titles * MATCHES_PER_TITLE) };
}
