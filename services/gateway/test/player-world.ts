import { formatTimestamp, operations, type Change, type Profile, type OperationResponse } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { route } from '@lobbystats/service-kit';
import { fixedClock } from '@lobbystats/test-kit';
import { BOARD } from './catalog-responses.ts';
import { catalogRoutes, HARBOR, network, NEWEST, RALLY, type Network } from './network.ts';
import { ratingRoutes, type Ratings } from './rating-routes.ts';
import { runGateway, startStubUpstream, type RunningGateway } from './running-gateway.ts';
import { FOX, PROFILE, userRoutes } from './user-responses.ts';

/** A name that would break out of markup and reverse what follows. */
export const HOSTILE = `"><script>window.pwned=1</script>\u202E`;
/** FOX took rank 1, an hour before {@link NEWEST}. */
export const CHANGE: Change = {
  ...{ id: 9, type: 'updated', titleId: HARBOR.titleId, gameName: HARBOR.name, leaderboardId: BOARD.id },
  ...{ leaderboardName: BOARD.name, playerName: FOX, isTime: true, oldRank: 5, newRank: 1 },
  ...{ oldRating: '00:50.100', newRating: '00:49.300', oldTimeMs: 50_100, newTimeMs: 49_300 },
  changedAt: formatTimestamp(NEWEST - 3600),
};

export interface World {
  known?: Partial<Network>;
  /** Null: the player is on no leaderboard. */
  changes?: Change[] | null;
  profile?: Partial<Profile>;
  achievements?: OperationResponse<typeof operations.getUserAchievements>;
  ratings?: Ratings;
  env?: Record<string, string>;
}

/** A gateway at {@link NEWEST}, with the user FOX, who is on two leaderboards. */
export async function runWorld({
  known,
  changes = [],
  profile,
  achievements,
  ratings,
  env,
}: World = {}): Promise<RunningGateway> {
  const all = network({ standings: new Map([[FOX, [HARBOR.titleId, RALLY.titleId]]]), ...known });
  const page = { offset: 0, hasMore: false, nextCursor: null };
  const catalog = await startStubUpstream(
    catalogRoutes(all, [
      route(operations.listRecords, async ({ query: { ids } }) => ({
        body: ids.map((id) => ({ id, beaten: { playerName: 'Owl', rating: '00:49.356', timeMs: 49_356 } })),
      })),
      route(operations.listPlayerChanges, async ({ query: { since = 0, limit } }) => {
        if (changes === null) throw new AppError('not-found', 'Unknown player');
        const found = changes.filter(({ changedAt }) => changedAt >= formatTimestamp(since));
        return { body: { changes: found.slice(0, limit), total: found.length, limit, ...page } };
      }),
    ]),
  );
  const ofUser = userRoutes(all).find(({ operation }) => operation.id === operations.getUserProfile.id)!;
  const users = await startStubUpstream(
    userRoutes(all, [
      ...(profile === undefined
        ? []
        : [
            route(operations.getUserProfile, async (input) => {
              const reply = await ofUser.handler(input);
              return { body: { ...(reply.body as object), profile: { ...PROFILE, ...profile } } as never };
            }),
          ]),
      ...(achievements === undefined
        ? []
        : [route(operations.getUserAchievements, async () => ({ body: achievements }))]),
    ]),
  );
  const reputation = await startStubUpstream(ratingRoutes(ratings ?? new Map()));
  return runGateway({
    network: all,
    overrides: { clock: fixedClock(new Date(NEWEST * 1000).toISOString().replace('.000', '')) },
    env: {
      CATALOG_API_URL: catalog.url,
      USER_API_URL: users.url,
      REPUTATION_API_URL: reputation.url,
      ...env,
    },
  });
}

export const pageOf = (name: string, query = '') => `/u/${encodeURIComponent(name)}${query}`;
