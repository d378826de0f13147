import express, { Router } from 'express';
import type { Request, Response } from 'express';
import { z } from 'zod';

import type { Account } from '../auth/accounts.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { faultsBodySchema } from '../faults/fault.ts';
import type { Faulty } from '../faults/faulty-handler.ts';
import { formatInstant } from '../instants.ts';
import type { SimulatorClock } from '../simulator-clock.ts';
import type { World } from '../world/world.ts';
import { DoorError } from './door-error.ts';
import { boardHistoryRoute, historyRoute, playerHistoryRoute } from './history-route.ts';
import { readBody } from './read-body.ts';
import type { RequestTally } from './request-tally.ts';

const LARGEST_BODY = '64kb';
const FASTEST_RATE = 1_000_000;

const clockBodySchema = z.strictObject({
  now: z.iso
    .datetime('must be an instant YYYY-MM-DDTHH:MM:SSZ, or null for the real one')
    .refine((text) => Date.parse(text) >= 0, 'must not be before 1970')
    .nullable(),
  rate: z.number().min(0).max(FASTEST_RATE).default(1),
});

export interface DoorParts {
  world: World;
  accounts: readonly Account[];
  faults: FaultList;
  faulty: Faulty;
  clock: SimulatorClock;
  tally: RequestTally;
  log: (line: string) => void;
}

/** Control API, apart from the simulated network. */
export function doorRouter({ world, accounts, faults, faulty, clock, tally, log }: DoorParts): Router {
  const router = Router();
  const json = express.json({ limit: LARGEST_BODY });

  router
    .route('/simulator/history')
    .get(faulty(historyRoute(world), sendDoorError))
    .all(onlyBy('GET, HEAD'));

  router
    .route('/simulator/history/boards')
    .get(faulty(boardHistoryRoute(world), sendDoorError))
    .all(onlyBy('GET, HEAD'));

  router
    .route('/simulator/history/players')
    .get(faulty(playerHistoryRoute(world), sendDoorError))
    .all(onlyBy('GET, HEAD'));

  router
    .route('/simulator/accounts')
    .get((_, response) =>
      answer(
        response,
        accounts.map(({ email, password, username }) => ({ email, password, username })),
      ),
    )
    .all(onlyBy('GET, HEAD'));

  router
    .route('/simulator/faults')
    .get((_, response) => answer(response, { faults: faults.list() }))
    .put(json, (request, response) => {
      const body = readBody(request, faultsBodySchema);
      faults.replace(body.faults);
      log(`faults: ${body.faults.length === 0 ? 'none' : JSON.stringify(body.faults)}`);
      answer(response, { faults: faults.list() });
    })
    .all(onlyBy('GET, HEAD, PUT'));

  router
    .route('/simulator/clock')
    .get((_, response) => answer(response, clockAnswer()))
    .put(json, (request, response) => {
      const body = readBody(request, clockBodySchema);
      if (body.now === null) clock.reset();
      else clock.set(Date.parse(body.now), body.rate);
      log(`clock: ${JSON.stringify(clockAnswer())}`);
      answer(response, clockAnswer());
    })
    .all(onlyBy('GET, HEAD, PUT'));

  router
    .route('/simulator/requests')
    .get((_, response) => answer(response, tally.counts()))
    .delete((_, response) => {
      tally.reset();
      answer(response, tally.counts());
    })
    .all(onlyBy('GET, HEAD, DELETE'));

  router.use('/simulator', () => {
    throw new DoorError(404, 'the simulator has no such door');
  });
  return router;

  function clockAnswer(): { now: string; rate: number; real: boolean } {
    return { now: formatInstant(Math.floor(clock.now() / 1000)), rate: clock.rate(), real: clock.isReal() };
  }
}

export function sendDoorError(_: Request, response: Response, status: number, message = 'out of order'): void {
  response.status(status);
  answer(response, { error: message });
}

function answer(response: Response, body: object): void {
  response.set('Cache-Control', 'no-store').json(body);
}

function onlyBy(methods: string): (request: Request, response: Response) => void {
  return (_, response) => {
    response.set('Allow', methods);
    throw new DoorError(405, `only ${methods}`);
  };
}
