import { withThousands } from '../thousands.ts';
import { hashText, pick } from '../world/hash.ts';
import type { TitleObservation } from '../world/world.ts';

/** What the site says where nobody plays; it never made up its mind. */
const INACTIVE = ['-', '0', '0 sessions', '0 in 0 sessions', ''] as const;

/** The homepage's activity cell: `N in M sessions`, N players in M matches, or one of five ways to say none. */
export function activityCell(observation: TitleObservation): string {
  const { players, sessions, titleId } = observation;
  if (sessions === 0) return pick(hashText(titleId), INACTIVE);
  return `${withThousands(players)} in ${withThousands(sessions)} sessions`;
}
