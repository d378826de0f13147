import { operations, parseInstant } from '@lobbystats/contracts';
import { parseResponse } from '../upstreams/upstreams.ts';
import { cardSvg, figure, plot } from './card.ts';
import type { ImageOf } from './image.ts';

const { getNow, getOnlineSeries } = operations;

/** The network now, and users online in the last 24 hours. */
export const siteImage: ImageOf<object> = {
  id: 'getSiteImage',
  key: () => [],
  tags: () => [...getNow.tags({}), ...getOnlineSeries.tags({})],
  draw: async (_asked, { note }, upstreams) => {
    const [ofNow, ofSeries] = await Promise.all([
      upstreams.fetch(getNow, {}, {}),
      upstreams.fetch(getOnlineSeries, {}, { days: 1 }),
    ]);
    const { online, lobbies, gamesWithPlayers } = parseResponse(getNow, ofNow, (answer) => answer);
    const points = parseResponse(getOnlineSeries, ofSeries, (series) =>
      series.map(({ recorded_at, online_count }) => ({ at: parseInstant(recorded_at), value: online_count })),
    );
    return cardSvg({
      title: 'Who is playing now',
      subtitle: 'Community statistics: games, leaderboards, players, events',
      figures: [
        figure('users online', online),
        figure('open lobbies', lobbies),
        figure('games with players', gamesWithPlayers),
      ],
      content: plot(points),
      note,
    });
  },
};
