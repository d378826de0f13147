import { operations, tagsOf, type GameMetadata } from '@lobbystats/contracts';
import { parseResponse } from '../upstreams/upstreams.ts';
import { findIcon } from './find-icon.ts';
import { gamePicture } from './card-picture.ts';
import { cardSvg, figure, plot } from './card.ts';
import type { ImageOf } from './image.ts';
import { onlinePlot } from '@lobbystats/site';

const { getIcon, getLatestActivity, getTitleOnlineHistory } = operations;

/** Users online in a game, now and in the last 24 hours. */
export const gameImage: ImageOf<GameMetadata> = {
  id: 'getGameImage',
  key: ({ titleId }) => [titleId],
  tags: ({ titleId }) => tagsOf([getIcon, getTitleOnlineHistory, getLatestActivity], { titleId }),
  draw: async ({ titleId, name, publisher }, { note, now }, upstreams) => {
    const [icon, ofNow, ofHistory] = await Promise.all([
      findIcon(titleId, upstreams),
      upstreams.fetch(getLatestActivity, {}, { titleId }),
      upstreams.fetch(getTitleOnlineHistory, { titleId }, { hours: 24, resolution: 'raw' }),
    ]);
    const { slot, titles } = parseResponse(getLatestActivity, ofNow, (activity) => activity);
    const newest = titles.find((one) => one.titleId === titleId);
    const rows = parseResponse(getTitleOnlineHistory, ofHistory, ({ history }) => history);
    return cardSvg({
      picture: gamePicture({ titleId, name }, icon),
      title: name === '' ? titleId : name,
      subtitle: publisher,
      figures: [
        figure('players online', newest?.online ?? 0),
        figure('open lobbies', newest?.activeLobbies ?? 0),
        figure('peak of 24 hours', rows.length === 0 ? null : Math.max(...rows.map((row) => row.online_count))),
      ],
      content: plot(onlinePlot(rows, now)),
      note,
      asOf: slot,
    });
  },
};
