/** The options of a simulated network that a soak sets; all others are the usual ones. */
export interface WorldOptions {
  readonly titles: number;
  readonly openMatches: number;
}

/** As many open matches a title as usually. */
const MATCHES_PER_TITLE = 0.4;

export function soakedWorld(titles: number): WorldOptions {
  return { titles, openMatches: Math.round(titles * MATCHES_PER_TITLE) };
}
