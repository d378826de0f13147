import { allOperations, type Operation } from '@lobbystats/contracts';
import { mountPath, notFound, parseParams, parseQuery } from '@lobbystats/service-kit';
import type { Express, Request, Response } from 'express';
import type { Freshness } from '../domain/freshness.ts';
import type { OwnerAnswer, Owners, Values } from '../domain/owners.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
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
  for (const operation of allOperations.filter(({ audience }) => audience === 'public')) {
    mountPath(app, operation.path, operation.id, {
      GET: (req, res) => answer(door, operation, parseParams(operation, req.params), req, res),
    });
    if (operation.gamePath !== undefined) {
      mountPath(app, operation.gamePath, operation.id, {
        GET: (req, res) => answer(door, operation, titleParams(door.directory, req), req, res),
      });
    }
  }
}

async function answer(
  { owners, freshness, compositions }: PublicDoor,
  operation: Operation,
  params: object,
  req: Request,
  res: Response,
): Promise<void> {
  const query = parseQuery(operation, req.url);
  const maxAgeSeconds = freshness.begin();
  const compose = compositions.get(operation.id);
  const made = await (compose?.() ?? owners.ask(operation, params as Values, query as Values));
  sendAnswer(req, res, made, maxAgeSeconds());
}

function titleParams(directory: TitleDirectory, req: Request): { titleId: string } {
  const titleId = directory.resolve(String(req.params['game']));
  if (titleId === undefined) throw notFound('game');
  return { titleId };
}
