import express, { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { formatInstant } from '@lobbystats/contracts';
import type { Account } from '../auth/accounts.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { faultsBodySchema } from '../faults/fault.ts';
import type { Faulty } from '../faults/faulty-handler.ts';
import type { SimulatorClock } from '../simulator-clock.ts';
import type { World } from '../world/world.ts';
import { ControlApiError, describeIssues } from './control-api-error.ts';
import { historyRoutes } from './history-route.ts';
import type { RequestTally } from './request-tally.ts';

const MAX_BODY = '64kb';
const MAX_RATE = 1_000_000;

const clockBodySchema = z.strictObject({
  now: z.iso
    .datetime('must be an instant YYYY-MM-DDTHH:MM:SSZ, or null for the real one')
    .refine((text) => Date.parse(text) >= 0, 'must not be before 1970')
    .nullable(),
  rate: z.number().min(0).max(MAX_RATE).default(1),
});

export interface ControlApiOptions {
  world: World;
  accounts: readonly Account[];
  faults: FaultList;
  faulty: Faulty;
  clock: SimulatorClock;
  tally: RequestTally;
  log: (line: string) => void;
}

/** Control API, separate from the simulated network. */
export function controlApiRouter({ world, accounts, faults, faulty, clock, tally, log }: ControlApiOptions): Router {
  const router = Router();
  const json = express.json({ limit: MAX_BODY });

  for (const [path, handler] of Object.entries(historyRoutes(world))) {
    router.route(`/simulator/history${path}`).get(faulty(handler, sendControlApiError)).all(allowOnly('GET, HEAD'));
  }

  router
    .route('/simulator/accounts')
    .get((_, response) => {
      // Sites of the simulated network offer them where one signs in.
      response.set('Access-Control-Allow-Origin', '*');
      respond(
        response,
        accounts.map(({ email, password, username }) => ({ email, password, username })),
      );
    })
    .all(allowOnly('GET, HEAD'));

  router
    .route('/simulator/faults')
    .get((_, response) => respond(response, { faults: faults.list() }))
    .put(json, (request, response) => {
      const body = readBody(request, faultsBodySchema);
      faults.replace(body.faults);
      log(`faults: ${body.faults.length === 0 ? 'none' : JSON.stringify(body.faults)}`);
      respond(response, { faults: faults.list() });
    })
    .all(allowOnly('GET, HEAD, PUT'));

  router
    .route('/simulator/clock')
    .get((_, response) => respond(response, clockResponse()))
    .put(json, (request, response) => {
      const body = readBody(request, clockBodySchema);
      if (body.now === null) clock.reset();
      else clock.set(Date.parse(body.now), body.rate);
      log(`clock: ${JSON.stringify(clockResponse())}`);
      respond(response, clockResponse());
    })
    .all(allowOnly('GET, HEAD, PUT'));

  router
    .route('/simulator/requests')
    .get((_, response) => respond(response, tally.counts()))
    .delete((_, response) => {
      tally.reset();
      respond(response, tally.counts());
    })
    .all(allowOnly('GET, HEAD, DELETE'));

  router
    .route('/simulator/requests/arrivals')
    .get((_, response) => respond(response, { milliseconds: tally.arrivals() }))
    .all(allowOnly('GET, HEAD'));

  router.use('/simulator', () => {
    throw new ControlApiError(404, 'no such endpoint');
  });
  return router;

  function clockResponse(): { now: string; rate: number; real: boolean } {
    return { now: formatInstant(Math.floor(clock.now() / 1000)), rate: clock.rate(), real: clock.isReal() };
  }
}

export function sendControlApiError(_: Request, response: Response, status: number, message = 'out of order'): void {
  response.status(status);
  respond(response, { error: message });
}

function respond(response: Response, body: object): void {
  response.set('Cache-Control', 'no-store').json(body);
}

function allowOnly(methods: string): (request: Request, response: Response) => void {
  return (_, response) => {
    response.set('Allow', methods);
    throw new ControlApiError(405, `only ${methods}`);
  };
}

function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): z.output<Schema> {
  if (request.is('application/json') === false) throw new ControlApiError(415, 'the body must be application/json');
  const result = schema.safeParse(request.body);
  if (!result.success) throw new ControlApiError(400, describeIssues(result.error));
  return result.data;
}
