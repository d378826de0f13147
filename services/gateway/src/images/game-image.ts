import { operations, parseInstant, type GameMetadata } from '@lobbystats/contracts';
import { parseResponse } from '../upstreams/upstreams.ts';
import { cardSvg, figure, plot } from './card.ts';
import type { ImageOf } from './image.ts';

const { getLatestActivity, getTitleOnlineHistory } = operations;

/** Users online in a game, now and in the last 24 hours. */
export const gameImage: ImageOf<GameMetadata> = {
  id: 'getGameImage',
  key: ({ titleId }) => [titleId],
  tags: ({ titleId }) => [...getTitleOnlineHistory.tags({ titleId }), ...getLatestActivity.tags({})],
  draw: async ({ titleId, name, publisher }, { note }, upstreams) => {
    const [ofNow, ofHistory] = await Promise.all([
      upstreams.fetch(getLatestActivity, {}, {}),
      upstreams.fetch(getTitleOnlineHistory, { titleId }, { hours: 24, resolution: 'raw' }),
    ]);
    const now = parseResponse(getLatestActivity, ofNow, ({ titles }) => titles.find((one) => one.titleId === titleId));
    const points = parseResponse(getTitleOnlineHistory, ofHistory, ({ history }) =>
      history.map(({ recorded_at, online_count }) => ({ at: parseInstant(recorded_at), value: online_count })),
    );
    return cardSvg({
      title: name === '' ? titleId : name,
      subtitle: publisher,
      figures: [
        figure('players now', now?.online ?? 0),
        figure('open lobbies', now?.activeLobbies ?? 0),
        figure('peak of 24 hours', points.length === 0 ? null : Math.max(...points.map(({ value }) => value))),
      ],
      content: plot(points),
      note,
    });
  },
};
