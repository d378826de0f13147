import { operations, parseInstant, slotOf } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { plot } from '../../parts/plot.ts';

const { listRecentUnlocks } = operations;

/** Unlocks that are read for the curve, evenly spaced: all of them would be a page each. */
const POINTS = 16;

/** How many have unlocked an achievement over time; nothing before the second one. @param total its unlocks */
export async function unlockCurve(achievementId: number, total: number, data: PageData): Promise<Html | ''> {
  const spaced = Array.from({ length: POINTS }, (_, index) => Math.round((index * (total - 1)) / (POINTS - 1)));
  const offsets = total < 2 ? [] : [...new Set(spaced)].toReversed();
  const pages = await Promise.all(
    offsets.map(async (offset) =>
      data.askPart(listRecentUnlocks, {}, { achievement: achievementId, limit: 1, offset }),
    ),
  );
  // The newest has the offset 0.
  const points = pages.flatMap((page, index) =>
    (page?.recent ?? []).map(({ unlockedAt }) => ({
      begin: parseInstant(unlockedAt),
      count: total - (offsets[index] ?? 0),
    })),
  );
  const byTime = [...Map.groupBy(points, ({ begin }) => begin).values()].flatMap((same) => same.slice(-1));
  if (byTime.length < 2) return '';
  const begins = byTime.map(({ begin }) => begin);
  return html`${plot({
    id: 'unlock-curve',
    caption: 'Players who have it',
    data: {
      kind: 'steps',
      y: 'zero',
      cells: { unit: 'change', from: Math.min(...begins), until: Math.max(slotOf(data.now), ...begins) + 1, begins },
      series: [{ label: 'Players who have it', values: byTime.map(({ count }) => count) }],
    },
  })}`;
}
