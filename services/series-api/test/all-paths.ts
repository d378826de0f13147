import { operations } from '@lobbystats/contracts';
import { HARBOR, RALLY } from './observations.ts';

/** All paths of the service for two titles, some with query parameters. */
export function allPaths(): string[] {
  const ofTitles = [HARBOR, RALLY].flatMap((titleId) =>
    [
      operations.getTitleOnlineHistory,
      operations.getActivity,
      operations.getGameRecords,
      operations.getMatches,
      operations.getMatchHistory,
      operations.getMatchStats,
      operations.getDailyStats,
    ].map(({ path }) => path.replace(':titleId', titleId)),
  );
  return [
    ...ofTitles,
    ...[operations.getOnlineSeries, operations.getLobbySeries].map(({ path }) => `${path}?days=30&resolution=30`),
    operations.getNow.path,
    operations.listLobbies.path,
    operations.getOnlineSeries.path,
    operations.getLobbySeries.path,
    operations.getDailyRegistered.path,
    operations.getDailyOnline.path,
    operations.getNetworkRecords.path,
    operations.getOnlineSummary.path,
    `${operations.getOnlineSummary.path}?period=7d`,
    operations.getLatestActivity.path,
    `${operations.compareGames.path}?titleIds=${RALLY},${HARBOR}&days=30`,
    ...['24h', '7d', '30d'].map((period) => `${operations.getRanking.path}?period=${period}`),
  ];
}
