import { operations } from '@lobbystats/contracts';
import { parseResponse } from '../upstreams/upstreams.ts';
import { plural } from '@lobbystats/site';
import { cardSvg, rows } from './card.ts';
import type { ImageOf } from './image.ts';

const { getLeaderboard } = operations;

export interface LeaderboardAsked {
  readonly titleId: string;
  readonly leaderboardId: number;
}

/** The first three entries of a leaderboard. */
export const leaderboardImage: ImageOf<LeaderboardAsked> = {
  id: 'getLeaderboardImage',
  key: ({ titleId, leaderboardId }) => [titleId, leaderboardId],
  tags: (asked) => getLeaderboard.tags(asked),
  draw: async (asked, { note }, upstreams) => {
    const response = await upstreams.fetch(getLeaderboard, { ...asked }, { limit: 3 });
    return parseResponse(getLeaderboard, response, ({ name, gameName, entries, total, observed_at = null }) => {
      return cardSvg({
        title: name,
        subtitle: `${gameName === '' ? asked.titleId : gameName} · ${plural(total, 'entry', 'entries')}`,
        figures: [],
        content: rows(
          entries.map((entry) => ({ rank: entry.rank, name: entry.name, rating: entry.timeFormatted || entry.rating })),
          370,
        ),
        note,
        asOf: observed_at,
      });
    });
  },
};
