import { join } from 'node:path';
import { operations, type OperationResponse } from '@lobbystats/contracts';
import { cleanUp, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { openReputationModeration } from '../src/admin.ts';
import { keyOf, NOW, pathOf, runReputation } from './running-reputation.ts';

const { listOwnRatings, reportComment, exportRatings } = operations;

/** Starts a service with its moderation and requests of signed-in users, and the users EmberFox, Wren and Marlow. */
export async function runWithOwnRequests() {
  const url = `sqlite:${join(temporaryDirectory(), 'reputation.sqlite')}`;
  const api = await runReputation({ env: { DATABASE_URL: url } });
  const moderation = await openReputationModeration({ url, origin: 'simulated', clock: () => NOW * 1000 });
  cleanUp(() => moderation.close());
  await api.announceUsers({ EmberFox: '', Wren: '', Marlow: '' });
  const headersOf = (as: string | null) => (as === null ? {} : { 'x-session-key': keyOf(as) });
  const remove = (as: string | null, profile: string) =>
    getJson<OperationResponse<typeof operations.removeRating>>(api.url + pathOf(profile), {
      method: 'DELETE',
      headers: headersOf(as),
    });
  const given = (as: string | null, query = '') =>
    getJson<OperationResponse<typeof listOwnRatings>>(`${api.url}${listOwnRatings.path}${query}`, {
      headers: headersOf(as),
    });
  const report = (as: string, body: unknown) =>
    getJson(api.url + reportComment.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(as) },
      body: JSON.stringify(body),
    });
  const exported = async (as: string) =>
    (await getJson<OperationResponse<typeof exportRatings>>(api.url + exportRatings.path, { headers: headersOf(as) }))
      .body;
  return { api, moderation, remove, given, report, exported };
}
