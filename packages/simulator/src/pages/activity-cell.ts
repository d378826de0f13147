import { withThousands } from '../thousands.ts';
import { hashText, pick } from '../world/hash.ts';
import type { TitleObservation } from '../world/world.ts';

/** Real pages use all of these. */
const INACTIVE = ['-', '0', '0 sessions', '0 in 0 sessions', ''] as const;

export function activityCell(observation: TitleObservation): string {
  const { players, sessions, titleId } = observation;
  if (sessions === 0) return pick(hashText(titleId), INACTIVE);
  return `${withThousands(players)} in ${withThousands(sessions)} sessions`;
}
