import {
  formatTimestamp,
  isValidUsername,
  nameKey,
  operations,
  slotOf,
  tags,
  type OperationResponse,
} from '@lobbystats/contracts';
import { AppError, hasCode } from '@lobbystats/contracts/errors';
import { player } from '../players/compose-player.ts';
import { parseResponse, type UpstreamFetcher } from '../upstreams/upstreams.ts';
import { playerPicture } from './card-picture.ts';
import { cardSvg, figure, rows } from './card.ts';
import type { ImageOf } from './image.ts';

const { getPlayer, getUserProfile } = operations;

type Player = OperationResponse<typeof getPlayer>;
type User = OperationResponse<typeof getUserProfile>;

const SHOWN_RANKS = 3;

/** A player, by the username or gamertag of an account or by the name on leaderboards. */
export const playerImage: ImageOf<{ readonly name: string }> = {
  id: 'getPlayerImage',
  key: ({ name }) => [nameKey(name)],
  tags: ({ name }) => [...getPlayer.tags, ...(isValidUsername(name) ? [tags.user(name)] : [])],
  draw: async ({ name }, { note, now }, upstreams) => {
    const user = isValidUsername(name) ? await findUser(name, upstreams) : undefined;
    const found = await findPlayer(user?.leaderboardPlayerName ?? name, upstreams);
    if (user === undefined && found === undefined) throw new AppError('not-found', 'Unknown player');
    const leaderboards = found?.leaderboards ?? [];
    const title = user?.username ?? found?.username ?? found?.name ?? name;
    return cardSvg({
      picture: playerPicture(title, user?.profile.avatar_hue ?? null),
      title,
      subtitle: found === undefined || found.name === user?.username ? 'Player' : `Player · ${found.name}`,
      figures: [
        figure('leaderboards', found?.leaderboardsOn ?? 0),
        figure('in the top 10', found?.top10Count ?? 0),
        user === undefined
          ? figure('matches hosted in 30 days', found?.matchesHosted ?? 0)
          : figure('achievement points', user.achievementScore),
      ],
      content: rows(
        leaderboards.map(({ rank, leaderboardName, gameName, rating, timeFormatted }) => ({
          rank,
          name: `${leaderboardName} · ${gameName}`,
          rating: timeFormatted === '' ? rating : timeFormatted,
        })),
        460,
      ),
      note,
      asOf: formatTimestamp(slotOf(now)),
    });
  },
};

async function findUser(name: string, upstreams: UpstreamFetcher): Promise<User | undefined> {
  return ifFound(async () =>
    parseResponse(getUserProfile, await upstreams.fetch(getUserProfile, { username: name }, {})),
  );
}

async function findPlayer(name: string, upstreams: UpstreamFetcher): Promise<Player | undefined> {
  const asked = { params: { player: name }, query: { limit: SHOWN_RANKS } };
  return ifFound(async () => parseResponse(getPlayer, await player(asked, upstreams)));
}

/** Returns undefined for a 404. */
async function ifFound<Result>(fetch: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await fetch();
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}
