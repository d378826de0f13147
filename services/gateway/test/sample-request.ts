import { operations, type Operation } from '@lobbystats/contracts';
import type { AskOptions } from './ask.ts';
import { BOARD, EVENT } from './catalog-answers.ts';
import { HARBOR } from './network.ts';
import { FOX, SESSION } from './people-answers.ts';

const PARAMS: Readonly<Record<string, string>> = {
  game: encodeURIComponent(HARBOR.name),
  titleId: HARBOR.titleId,
  leaderboardId: String(BOARD.id),
  eventId: String(EVENT.id),
  player: 'Ember%20Fox',
  username: FOX,
};

const QUERIES: Readonly<Record<string, string>> = {
  [operations.searchByTime.id]: '?time=0:49.3',
  [operations.searchByPlayers.id]: '?names=Ember%20Fox',
};

const BODIES: Readonly<Record<string, unknown>> = {
  [operations.searchByRanks.id]: { players: [{ playerName: 'Ember Fox', rank: 1 }] },
  [operations.updateProfile.id]: { sessionKey: SESSION.key, bio: 'Hello' },
  [operations.rateProfile.id]: { sessionKey: SESSION.key, stars: 4 },
};

/** A path with its parameters filled in, by those given first. */
export function filled(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? PARAMS[name] ?? `:${name}`);
}

/** What an operation needs to be answered at a path of its own, by default that by ID. */
export function sampleRequest(operation: Operation, path = filled(operation.path)): [string, AskOptions] {
  const { id, method } = operation;
  const url = path + (QUERIES[id] ?? '');
  return operation.body === undefined ? [url, { method }] : [url, { method, ...json(BODIES[id]) }];
}

/** A JSON body and its label. */
export function json(body: unknown): Pick<AskOptions, 'headers' | 'body'> {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
