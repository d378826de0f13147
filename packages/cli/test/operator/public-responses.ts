import { eventually, readsOf, targetsOf } from '@lobbystats/test-kit';
import { ARCHIVED_EVENT, type ApiName, type RunningServices } from './seed-standalone.ts';

const services = {
  series: 'series-api',
  catalog: 'catalog-api',
  users: 'user-api',
  reputation: 'reputation-api',
} as const satisfies Record<ApiName, string>;

const seeded = {
  titleId: '4d530064',
  otherTitleId: '4d530065',
  leaderboardId: '17',
  eventId: String(ARCHIVED_EVENT),
  player: 'Ember Fox',
  otherPlayer: 'Grey Owl',
  username: 'EmberFox',
  time: '0:49.300',
  prefix: 'e',
};

/** Responses of the services to all reads of the seeded data that need no session, by path. */
export async function publicResponses({ ask }: RunningServices): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  for (const service of Object.keys(services) as ApiName[]) {
    // A feed is read by the token of a channel.
    const reads = readsOf(services[service]).filter(({ path }) => !path.includes(':feed'));
    for (const path of targetsOf(reads, seeded)) {
      responses[path] = await eventually(async () => {
        const response = await ask(service, path);
        expect([path, response]).not.toEqual([path, { error: expect.anything() }]);
        return response;
      });
    }
  }
  return responses;
}
