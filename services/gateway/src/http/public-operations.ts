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
import type { OwnerAnswer, Owners, Values } from '../domain/owners.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import { canonicalQuery } from './canonical-query.ts';
import { sendAnswer } from './send-answer.ts';

/** What the gateway answers by itself, by operation id. */
type Compositions = ReadonlyMap<string, () => Promise<OwnerAnswer>>;

export interface PublicDoor {
  owners: Owners;
  directory: TitleDirectory;
  freshness: Freshness;
  compositions: Compositions;
}

/** Mounts every public operation of the contracts at its path, and by game name where it has such a path. */
export function mountPublicOperations(app: Express, door: PublicDoor): void {
  const places = allOperations.filter(({ audience }) => audience === 'public').flatMap(placesOf);
  for (const [path, ofPath] of Map.groupBy(places, (place) => place.path)) {
    const answers: Partial<Record<Operation['method'], Answer>> = {};
    for (const place of ofPath) answers[place.operation.method] = answer(door, place);
    mountPath(app, path, path, answers);
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
    const maxAgeSeconds = freshness.begin();
    const made = await (compose?.() ?? owners.ask(operation, params, query, body));
    sendAnswer(req, res, operation, made, maxAgeSeconds());
  };
}

function titleIdOf(directory: TitleDirectory, given: Request['params']): string {
  const titleId = directory.resolve(String(given['game']));
  if (titleId === undefined) throw notFound('game');
  return titleId;
}
