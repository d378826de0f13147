import { BOARD_PASS_SECONDS, DAY_SECONDS, SLOT_SECONDS } from '../primitives/time.ts';
import type { BackfillPart } from './status.ts';

const PARTS: Record<BackfillPart['part'], { name: string; seconds: number }> = {
  snapshots: { name: 'snapshots', seconds: SLOT_SECONDS },
  leaderboards: { name: 'leaderboards', seconds: BOARD_PASS_SECONDS },
};

/**
 * One sentence for users, such as “Reading the past: 12 % of 30 days of snapshots, 40 % of 7 days of leaderboards.”
 *
 * @returns undefined when no part is unfinished
 */
export function backfillText(parts: readonly BackfillPart[]): string | undefined {
  const texts = parts.filter(({ done, total }) => done < total).map(partText);
  return texts.length === 0 ? undefined : `Reading the past: ${texts.join(', ')}.`;
}

function partText({ part, done, total }: BackfillPart): string {
  const { name, seconds } = PARTS[part];
  const days = Math.ceil((total * seconds) / DAY_SECONDS);
  return `${Math.floor((100 * done) / total)} % of ${days} ${days === 1 ? 'day' : 'days'} of ${name}`;
}
