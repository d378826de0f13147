import { formatInstant, operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { ARCHIVED_EVENT, NOW, type ApiName, type RunningServices } from './seed-standalone.ts';

const HARBOR = '4d530064';

/** Responses of the services to reads of the seeded data, by path. */
export async function publicResponses({ ask }: RunningServices): Promise<Record<string, unknown>> {
  const ofTitle = (path: string) => path.replace(':titleId', HARBOR).replace(':leaderboardId', '17');
  const ofUser = (path: string, name: string) => path.replace(':username', name).replace(':player', 'Ember%20Fox');
  const from = encodeURIComponent(formatInstant(NOW - 86_400));
  const requests: [ApiName, string][] = [
    ['series', operations.getNow.path],
    ['series', operations.listLobbies.path],
    ['series', operations.getDailyOnline.path],
    ['series', operations.getNetworkRecords.path],
    ['series', operations.getOnlineSeries.path],
    ['series', `${operations.getRanking.path}?period=7d`],
    ['series', `${operations.compareGames.path}?titleIds=${HARBOR}`],
    ['series', operations.getLobbySeries.path],
    ['series', operations.getDailyRegistered.path],
    ['series', ofTitle(operations.getTitleOnlineHistory.path)],
    ['series', ofTitle(operations.getActivity.path)],
    ['series', ofTitle(operations.getGameRecords.path)],
    ['series', ofTitle(operations.getMatches.path)],
    ['series', ofTitle(operations.getMatchHistory.path)],
    ['series', ofTitle(operations.getMatchStats.path)],
    ['series', ofTitle(operations.getDailyStats.path)],
    ['catalog', operations.listTitles.path],
    ['catalog', ofTitle(operations.getGame.path)],
    ['catalog', ofTitle(operations.getIcon.path)],
    ['catalog', ofTitle(operations.listLeaderboards.path)],
    ['catalog', ofTitle(operations.getLeaderboard.path)],
    ['catalog', ofTitle(operations.getTitleStats.path)],
    ['catalog', operations.listChanges.path],
    ['catalog', operations.listChangedGames.path],
    ['catalog', ofUser(operations.listPlayerChanges.path, '')],
    ['catalog', `${operations.findNames.path}?q=e`],
    ['catalog', operations.getEvent.path.replace(':eventId', String(ARCHIVED_EVENT))],
    ['catalog', `${operations.listEvents.path}?from=${from}`],
    ['catalog', ofUser(operations.searchOnePlayer.path, '')],
    ['users', ofUser(operations.getUserProfile.path, 'EmberFox')],
    ['users', ofUser(operations.getUserGames.path, 'EmberFox')],
    ['users', ofUser(operations.getUserAchievements.path, 'Marlow')],
    ['users', operations.listRecentUnlocks.path],
    ['reputation', ofUser(operations.getReputation.path, 'Marlow')],
    ['reputation', ofUser(operations.getReputation.path, 'EmberFox')],
  ];
  const responses: Record<string, unknown> = {};
  for (const [service, path] of requests) {
    responses[path] = await eventually(async () => {
      const response = await ask(service, path);
      expect([path, response]).not.toEqual([path, { error: expect.anything() }]);
      return response;
    });
  }
  return responses;
}
