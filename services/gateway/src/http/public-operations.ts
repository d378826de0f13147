import { allOperations, gamePathsOf, type Operation } from '@lobbystats/contracts';
import {
  labelOperation,
  mountPaths,
  notFound,
  parseBody,
  parseParams,
  readBody,
  type Answer,
} from '@lobbystats/service-kit';
import type { Express, Request } from 'express';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { Owners, Values } from '../domain/owners.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import { cacheRule } from './cache-key.ts';
import { canonicalQuery } from './canonical-query.ts';
import type { Composition } from './composition.ts';
import { knownRequest, outgoing, type KnownRequests } from './known-request.ts';
import { sendPrivate } from './send-answer.ts';
import { readerSession, writerSessionKey } from './session-key.ts';
import { made, maker, typeHeaders, type Understood } from './understood.ts';

export interface PublicDoor {
  owners: Owners;
  directory: TitleDirectory;
  cache: ResponseCache;
  /** Learns what URLs ask for, for those who look there before they ask here. */
  known: KnownRequests;
  /** What the gateway answers by itself, by operation id. */
  compositions: ReadonlyMap<string, Composition>;
}

/** Mounts every public operation of the contracts at its path, and by game name where it has such a path. */
export function mountPublicOperations(app: Express, door: PublicDoor): void {
  const places = allOperations.filter(({ audience }) => audience === 'public').flatMap(placesOf);
  mountPaths(
    app,
    places.map((place) => {
      const { path, operation } = place;
      const isPassedOn = operation.session === 'required';
      return { path, operation, answer: isPassedOn ? passOn(door, operation) : answer(door, place) };
    }),
  );
}

/** Where an operation is served, and what makes its parameters of those in the path. */
interface Place {
  path: string;
  operation: Operation;
  findParams: (directory: TitleDirectory, given: Request['params']) => object;
}

function placesOf(operation: Operation): Place[] {
  const byId: Place = { path: operation.path, operation, findParams: (_, given) => parseParams(operation, given) };
  const findByGame: Place['findParams'] = (directory, given) =>
    parseParams(operation, { ...given, titleId: titleIdOf(directory, given) });
  return [byId, ...gamePathsOf(operation).map((path) => ({ path, operation, findParams: findByGame }))];
}

function answer(
  { owners, directory, cache, known, compositions }: PublicDoor,
  { operation, findParams }: Place,
): Answer {
  const { id, session: sessionNeed } = operation;
  const compose = compositions.get(id);
  const rule = cacheRule(operation);
  const queryOf = queryReader(operation);
  return async (req, res) => {
    labelOperation(res, id);
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const params = findParams(directory, req.params) as Values;
    const query = queryOf(req.url);
    const session = sessionNeed === 'optional' ? readerSession(req) : undefined;
    const understood: Understood = { operation, params, query, body, sessionKey: session?.key };
    const key = rule.key(params, query, body);
    const makeOne = maker(understood, owners, compose);
    if (session?.isGiven === true) {
      const given = await cache.bypass({ key, operation: id, make: makeOne }, 'bypass');
      sendPrivate(res, operation, await outgoing(cache, given, req.headers['accept-encoding']), { hasSession: true });
      return;
    }
    const keeping = rule.keeping(query);
    const request = knownRequest(understood, { key, keeping, make: makeOne }, cache);
    const isFoundByUrl = sessionNeed === 'none' && body === undefined && keeping !== 'shared';
    const learn = isFoundByUrl && rule.isWhollyKnown(req.url) ? known.learn(req.originalUrl, request) : undefined;
    await request.answer(req, res);
    learn?.();
  };
}

/**
 * A request that requires a session goes on as it came: what of it is at fault is for its owner to say, because the session
 * comes before everything that could be checked here.
 */
function passOn({ owners, cache }: PublicDoor, operation: Operation): Answer {
  return async (req, res) => {
    labelOperation(res, operation.id);
    const body = await readBody(req);
    const method = req.method === operation.alias ? operation.alias : undefined;
    const along = { method, body, sessionKey: writerSessionKey(req) };
    const params = req.params as Values;
    const makeOne = async () => made(await owners.ask(operation, params, {}, along), typeHeaders(operation, params));
    const given = await cache.bypass({ key: '', operation: operation.id, make: makeOne }, 'method');
    sendPrivate(res, operation, await outgoing(cache, given, req.headers['accept-encoding']), { hasSession: true });
  };
}

/** Most requests have no query: theirs is understood once. */
function queryReader(operation: Operation): (rawUrl: string) => Values {
  const none = operation.query.safeParse({}).success ? canonicalQuery(operation, '') : undefined;
  return (rawUrl) => (none === undefined || rawUrl.includes('?') ? canonicalQuery(operation, rawUrl) : none);
}

function titleIdOf(directory: TitleDirectory, given: Request['params']): string {
  const titleId = directory.resolve(String(given['game']));
  if (titleId === undefined) throw notFound('game');
  return titleId;
}
