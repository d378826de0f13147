import { operations, tagsOf } from '@lobbystats/contracts';
import { parseResponse } from '../upstreams/upstreams.ts';
import { cardSvg, figure, plot } from './card.ts';
import type { ImageOf } from './image.ts';
import { onlinePlot } from '@lobbystats/site';

const { getNow, getOnlineSeries } = operations;

/** The network now, and users online in the last 24 hours. */
export const siteImage: ImageOf<object> = {
  id: 'getSiteImage',
  key: () => [],
  tags: () => tagsOf([getNow, getOnlineSeries], {}),
  draw: async (_asked, { note, now }, upstreams) => {
    const [ofNow, ofSeries] = await Promise.all([
      upstreams.fetch(getNow, {}, {}),
      upstreams.fetch(getOnlineSeries, {}, { days: 1 }),
    ]);
    const { slot, online, lobbies, gamesWithPlayers } = parseResponse(getNow, ofNow);
    const history = parseResponse(getOnlineSeries, ofSeries, (series) => series);
    return cardSvg({
      title: 'Who is playing',
      subtitle: 'Community statistics: games, leaderboards, players, events',
      figures: [
        figure('users online', online),
        figure('open lobbies', lobbies),
        figure('games with players', gamesWithPlayers),
      ],
      content: plot(onlinePlot(history, now)),
      note,
      asOf: slot,
    });
  },
};
