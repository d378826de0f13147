import { allOperations, type Operation } from '@lobbystats/contracts';
import {
  labelOperation,
  mountPath,
  notFound,
  parseBody,
  parseParams,
  readBody,
  type Answer,
} from '@lobbystats/service-kit';
import type { Express, Request } from 'express';
import type { Freshness } from '../domain/freshness.ts';
import type { Owners, Values } from '../domain/owners.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import { canonicalQuery } from './canonical-query.ts';
import type { Composition } from './composition.ts';
import { sendAnswer } from './send-answer.ts';
import { readerSession, writerSessionKey } from './session-key.ts';

export interface PublicDoor {
  owners: Owners;
  directory: TitleDirectory;
  freshness: Freshness;
  /** What the gateway answers by itself, by operation id. */
  compositions: ReadonlyMap<string, Composition>;
}

/** Mounts every public operation of the contracts at its path, and by game name where it has such a path. */
export function mountPublicOperations(app: Express, door: PublicDoor): void {
  const places = allOperations.filter(({ audience }) => audience === 'public').flatMap(placesOf);
  for (const [path, ofPath] of Map.groupBy(places, (place) => place.path)) {
    const answers = ofPath.flatMap((place) => {
      const { method, alias = method, session } = place.operation;
      const answering = session === 'required' ? passOn(door.owners, place.operation) : answer(door, place);
      return [[method, answering] as const, [alias, answering] as const];
    });
    mountPath(app, path, path, Object.fromEntries(answers));
  }
}

/** Where an operation is served, and what makes its parameters of those in the path. */
interface Place {
  path: string;
  operation: Operation;
  findParams: (directory: TitleDirectory, given: Request['params']) => object;
}

function placesOf(operation: Operation): Place[] {
  const { path, gamePath } = operation;
  const byId: Place = { path, operation, findParams: (_, given) => parseParams(operation, given) };
  if (gamePath === undefined) return [byId];
  const byGame: Place = {
    path: gamePath,
    operation,
    findParams: (directory, given) => parseParams(operation, { ...given, titleId: titleIdOf(directory, given) }),
  };
  return [byId, byGame];
}

function answer({ owners, directory, freshness, compositions }: PublicDoor, { operation, findParams }: Place): Answer {
  const compose = compositions.get(operation.id);
  return async (req, res) => {
    labelOperation(res, operation.id);
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const params = findParams(directory, req.params) as Values;
    const query = canonicalQuery(operation, req.url);
    const session = operation.session === 'optional' ? readerSession(req) : undefined;
    const maxAgeSeconds = freshness.begin();
    const made =
      compose === undefined
        ? await owners.ask(operation, params, query, { body, sessionKey: session?.key })
        : await compose({ params, query }, owners.together());
    const audience = { hasSession: session?.isGiven ?? false, maxAgeSeconds: maxAgeSeconds() };
    sendAnswer(req, res, operation, made, audience);
  };
}

/**
 * A request that requires a session goes on as it came: what of it is at fault is for its owner to say, because the session
 * comes before everything that could be checked here.
 */
function passOn(owners: Owners, operation: Operation): Answer {
  return async (req, res) => {
    labelOperation(res, operation.id);
    const body = await readBody(req);
    const method = req.method === operation.alias ? operation.alias : undefined;
    const along = { method, body, sessionKey: writerSessionKey(req) };
    const made = await owners.ask(operation, req.params as Values, {}, along);
    sendAnswer(req, res, operation, made, { hasSession: true, maxAgeSeconds: 0 });
  };
}

function titleIdOf(directory: TitleDirectory, given: Request['params']): string {
  const titleId = directory.resolve(String(given['game']));
  if (titleId === undefined) throw notFound('game');
  return titleId;
}
