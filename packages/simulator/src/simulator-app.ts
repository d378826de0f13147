import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Account, Sessions } from './auth/accounts.ts';
import { authRouter } from './auth/auth-router.ts';
import { discordRouter } from './discord/discord-router.ts';
import { ControlApiError } from './control-api/control-api-error.ts';
import { controlApiRouter, sendControlApiError } from './control-api/control-api-router.ts';
import { createRequestTally } from './control-api/request-tally.ts';
import { isControlApiPath, isSitePath, type FaultList } from './faults/fault-list.ts';
import { createFaulty } from './faults/faulty-handler.ts';
import { pageRouter, sendStatus } from './pages/page-router.ts';
import type { SimulatorClock } from './simulator-clock.ts';
import type { World } from './world/world.ts';

export interface AppOptions {
  world: World;
  accounts: readonly Account[];
  sessions: Sessions;
  discordToken: string | undefined;
  clock: SimulatorClock;
  faults: FaultList;
  stopping: AbortSignal;
  log: (line: string) => void;
}

/** Control API, auth service, Discord and the site, behind the current faults. */
export function createSimulatorApp(parts: AppOptions): Express {
  const { world, accounts, sessions, discordToken, clock, faults, stopping, log } = parts;
  const faulty = createFaulty(faults, clock, stopping);
  const tally = createRequestTally((path) => isControlApiPath(path) && !path.startsWith('/simulator/history'));
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use((request, response, next) => tally.middleware(request, response, next));
  app.use((_, response, next) => {
    if (stopping.aborted) response.set('Connection', 'close');
    next();
  });
  app.use(controlApiRouter({ world, accounts, faults, faulty, clock, tally, log }));
  app.use('/api/auth', authRouter({ world, accounts, sessions, faulty }));
  app.use('/discord', discordRouter(faulty, discordToken));
  app.use(pageRouter(world, faulty));
  app.use(errorHandler(log));
  return app;
}

function errorHandler(log: (line: string) => void): ErrorRequestHandler {
  // Express recognises error handlers by four parameters.
  return (error: unknown, request, response, _next) => {
    const status = statusOf(error);
    if (status === 500) log(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (isSitePath(request.path)) sendStatus(request, response, status);
    else sendControlApiError(request, response, status, messageOf(error, status));
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status <= 499 ? status : 500;
}

function messageOf(error: unknown, status: number): string {
  if (error instanceof ControlApiError) return error.message;
  if (status === 413) return 'the body is too large';
  return status === 500 ? 'internal error' : 'the request could not be read';
}
