import { operations, type Operation } from '@lobbystats/contracts';
import type { TestRequestOptions } from '@lobbystats/test-kit/send-request';
import { BOARD, EVENT } from './catalog-responses.ts';
import { HARBOR } from './network.ts';
import { FOX, SESSION } from './user-responses.ts';

const PARAMS: Readonly<Record<string, string>> = {
  game: encodeURIComponent(HARBOR.name),
  titleId: HARBOR.titleId,
  leaderboardId: String(BOARD.id),
  eventId: String(EVENT.id),
  player: 'Ember%20Fox',
  username: FOX,
};

const QUERIES: Readonly<Record<string, string>> = {
  [operations.compareGames.id]: `?titleIds=${HARBOR.titleId}`,
  [operations.searchByTime.id]: '?time=0:49.3',
  [operations.searchByPlayers.id]: '?names=Ember%20Fox',
  [operations.suggestNames.id]: '?q=har',
  [operations.getPlayTime.id]: `?username=${FOX}`,
  [operations.getRankHistory.id]: `?titleId=${HARBOR.titleId}&leaderboardId=${BOARD.id}`,
};

const BODIES: Readonly<Record<string, unknown>> = {
  [operations.searchByRanks.id]: { players: [{ playerName: 'Ember Fox', rank: 1 }] },
  [operations.updateProfile.id]: { sessionKey: SESSION.key, bio: 'Hello' },
  [operations.getOwnPresence.id]: { sessionKey: SESSION.key },
  [operations.rateProfile.id]: { sessionKey: SESSION.key, stars: 4 },
  [operations.reportComment.id]: { sessionKey: SESSION.key, raterUsername: FOX },
};

/** Fills the parameters of a path, with `params` taking precedence. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? PARAMS[name] ?? `:${name}`);
}

/** A valid request for an operation, by default at its path by ID. */
export function sampleRequest(operation: Operation, path = fillPath(operation.path)): [string, TestRequestOptions] {
  const { id, method } = operation;
  const url = path + (QUERIES[id] ?? '');
  if (operation.body !== undefined) return [url, { method, ...json(BODIES[id]) }];
  return [url, { method, ...(operation.session === 'required' && { headers: { 'X-Session-Key': SESSION.key } }) }];
}

/** A JSON body with its content type. */
export function json(body: unknown): Pick<TestRequestOptions, 'headers' | 'body'> {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
