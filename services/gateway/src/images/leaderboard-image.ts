import { operations, tagsOf } from '@lobbystats/contracts';
import { parseResponse } from '../upstreams/upstreams.ts';
import { plural } from '@lobbystats/site';
import { gamePicture } from './card-picture.ts';
import { findIcon } from './find-icon.ts';
import { cardSvg, rows } from './card.ts';
import type { ImageOf } from './image.ts';

const { getIcon, getLeaderboard } = operations;

export interface LeaderboardAsked {
  readonly titleId: string;
  readonly leaderboardId: number;
}

/** The first three entries of a leaderboard. */
export const leaderboardImage: ImageOf<LeaderboardAsked> = {
  id: 'getLeaderboardImage',
  key: ({ titleId, leaderboardId }) => [titleId, leaderboardId],
  tags: ({ titleId }) => tagsOf([getLeaderboard, getIcon], { titleId }),
  draw: async (asked, { note }, upstreams) => {
    const { titleId } = asked;
    const [response, icon] = await Promise.all([
      upstreams.fetch(getLeaderboard, { ...asked }, { limit: 3 }),
      findIcon(titleId, upstreams),
    ]);
    return parseResponse(getLeaderboard, response, ({ name, gameName, entries, total, observed_at = null }) => {
      return cardSvg({
        picture: gamePicture({ titleId, name: gameName }, icon),
        title: name,
        subtitle: `${gameName === '' ? titleId : gameName} · ${plural(total, 'entry', 'entries')}`,
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
