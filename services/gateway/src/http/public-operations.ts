import { allOperations, gamePathsOf, type Operation } from '@lobbystats/contracts';
import { mountOperations, notFound, parseBody, parseParams, readBody, type Answer } from '@lobbystats/service-kit';
import type { Express, Request } from 'express';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { UrlIndex } from '../domain/cache/url-index.ts';
import type { Owners, Values } from '../domain/owners.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import { answerSource, madeAnswer, typeHeaders } from './answer-source.ts';
import { cacheRule } from './cache-key.ts';
import { canonicalQuery } from './canonical-query.ts';
import type { Composition } from './composition.ts';
import { sendAnswer } from './send-answer.ts';
import { readerSession, writerSessionKey } from './session-key.ts';

export interface PublicDoor {
  owners: Owners;
  directory: TitleDirectory;
  cache: ResponseCache;
  /** Learns the cache keys of URLs for `answerInFront`. */
  known: UrlIndex<string>;
  compositions: ReadonlyMap<string, Composition>;
}

/** Mounts every public operation of the contracts at its path, and by game name where it has such a path. */
export function mountPublicOperations(app: Express, door: PublicDoor): void {
  const places = allOperations.filter(({ audience }) => audience === 'public').flatMap(placesOf);
  mountOperations(
    app,
    places.map((place) => {
      const { path, operation } = place;
      const isPassedOn = operation.session === 'required';
      return { path, operation, answer: isPassedOn ? passOn(door, operation) : answer(door, place) };
    }),
  );
}

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
  const { id, owner, session: sessionNeed } = operation;
  const compose = compositions.get(id);
  const rule = cacheRule(operation);
  const queryOf = queryReader(operation);
  return async (req, res) => {
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const params = findParams(directory, req.params) as Values;
    const query = queryOf(req.url);
    const session = sessionNeed === 'optional' ? readerSession(req) : undefined;
    const hasSession = session?.isGiven === true;
    const key = rule.key(params, query, body);
    const make = answerSource({ operation, params, query, body, sessionKey: session?.key }, owners, compose);
    if (hasSession) {
      const given = await cache.bypass({ key, operation: id, make }, 'bypass');
      await sendAnswer(req, res, cache, { operation, given, hasSession });
      return;
    }
    const keeping = rule.keeping(query);
    const isFoundByUrl = sessionNeed === 'none' && keeping === 'kept' && rule.isWhollyKnown(req.url);
    const learn = isFoundByUrl && operation.method === 'GET' ? known.learn(req.originalUrl, key) : undefined;
    const given = await cache.answer({ key, keeping, make, operation: id, owner, tags: operation.tags(params) });
    await sendAnswer(req, res, cache, { operation, given, hasSession });
    learn?.();
  };
}

/** Passes a write on unvalidated: its upstream verifies the session before anything else. */
function passOn({ owners, cache }: PublicDoor, operation: Operation): Answer {
  return async (req, res) => {
    const body = await readBody(req);
    const method = req.method === operation.alias ? operation.alias : undefined;
    const along = { method, body, sessionKey: writerSessionKey(req) };
    const params = req.params as Values;
    const make = async () => madeAnswer(await owners.ask(operation, params, {}, along), typeHeaders(operation, params));
    const given = await cache.bypass({ key: '', operation: operation.id, make }, 'method');
    await sendAnswer(req, res, cache, { operation, given, hasSession: true });
  };
}

/** The empty query is parsed once. */
function queryReader(operation: Operation): (rawUrl: string) => Values {
  const none = operation.query.safeParse({}).success ? canonicalQuery(operation, '') : undefined;
  return (rawUrl) => (none === undefined || rawUrl.includes('?') ? canonicalQuery(operation, rawUrl) : none);
}

function titleIdOf(directory: TitleDirectory, given: Request['params']): string {
  const titleId = directory.resolve(String(given['game']));
  if (titleId === undefined) throw notFound('game');
  return titleId;
}
