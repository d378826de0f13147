import { operations } from '@lobbystats/contracts';
import { getJson } from '@lobbystats/test-kit';
import { pathTo } from '../../standalone/sign-in.ts';

/** Operations, one or more per service, that are not answered with 200. */
export async function failingRoutes(url: string, username: string): Promise<string[]> {
  const { getOnlineSeries, listGames, searchByTime, getUserAchievements, getReputation } = operations;
  const paths = {
    [getOnlineSeries.id]: getOnlineSeries.path,
    [listGames.id]: listGames.path,
    [searchByTime.id]: `${searchByTime.path}?time=1:00`,
    [getUserAchievements.id]: pathTo(getUserAchievements.path, username),
    [getReputation.id]: pathTo(getReputation.path, username),
  };
  const answers = await Promise.all(
    Object.entries(paths).map(async ([id, path]) => {
      const { status } = await getJson(url + path).catch(() => ({ status: 0 }));
      return { id, status };
    }),
  );
  return answers.filter(({ status }) => status !== 200).map(({ id, status }) => `${id} (${status})`);
}
