import { allOperations, type Operation } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { mountPath, parseParams, parseQuery } from '@lobbystats/service-kit';
import type { Express, Request, Response } from 'express';
import type { Freshness } from '../domain/freshness.ts';
import type { OwnerAnswer, Owners, Values } from '../domain/owners.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import { sendAnswer } from './send-answer.ts';

/** What the gateway answers by itself, by operation id. */
export type Compositions = Readonly<Record<string, () => Promise<OwnerAnswer>>>;

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
      GET: (req, res) => answer(door, operation, req.params, req, res),
    });
    if (operation.gamePath !== undefined) {
      mountPath(app, operation.gamePath, operation.id, {
        GET: (req, res) => answer(door, operation, titleParams(door.directory, req), req, res),
      });
    }
  }
}

async function answer(
  door: PublicDoor,
  operation: Operation,
  rawParams: Request['params'],
  req: Request,
  res: Response,
): Promise<void> {
  const params = parseParams(operation, rawParams);
  const query = parseQuery(operation, req.url);
  const compose = door.compositions[operation.id];
  const reply = await (compose ? compose() : door.owners.ask(operation, params as Values, query as Values));
  sendAnswer(req, res, reply, door.freshness.maxAgeSeconds());
}

function titleParams(directory: TitleDirectory, req: Request): { titleId: string } {
  const titleId = directory.resolve(String(req.params['game']));
  if (titleId === undefined) throw new AppError('not-found', 'Unknown game');
  return { titleId };
}
