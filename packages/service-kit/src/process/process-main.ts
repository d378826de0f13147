import { setFlagsFromString } from 'node:v8';
import { AppError, StartupError } from '@lobbystats/contracts/errors';
import { describeError } from '../command/run-command.ts';
import { ConfigError, type Env } from '../config/read-config.ts';
import { StartError } from '../http/listen.ts';
import { endLogger, type Logger } from '../logs/create-logger.ts';
import { redactText } from '../logs/redact.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Service } from './lifecycle.ts';

interface CreatedProcess {
  service: Service;
  logger: Logger;
  stopTimeoutMs: number;
}

interface ProcessOptions {
  name: string;
  create: (env: Env) => Promise<CreatedProcess>;
}

const CLOSING_MS = 2000;
/** V8 would collect old objects when they have tripled, and never in a quiet process: 400 MB stayed of 60 after a backfill. */
const HEAP_GROWTH = '--heap-growing-percent=50';

/** Exit codes: 0 graceful stop; 130, 143 second signal; 1 failed start or stop, or an uncaught error. */
export async function runProcess({ name, create }: ProcessOptions): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const state: ProcessState = { isStopping: false };
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (state.isStopping || state.running === undefined) process.exit(state.isStopping ? code : 0);
      void shutDown(state, 0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      if (state.isStopping) return;
      if (state.running === undefined) failStart(name, error);
      state.running.logger.error('uncaught error, stopping', { error });
      void shutDown(state, 1);
    });
  }
  try {
    state.tracing = await startTracing(process.env, {
      onChange: (fault) => {
        logTracingChange(state, fault);
      },
    });
    state.running = await create(process.env);
    state.started = state.running.service.start();
    await state.started;
  } catch (error) {
    if (!state.isStopping) failStart(name, error);
  }
}

interface ProcessState {
  tracing?: Tracing | undefined;
  running?: CreatedProcess;
  started?: Promise<void>;
  isStopping: boolean;
}

async function shutDown(state: ProcessState, code: number): Promise<never> {
  const { running, started } = state;
  state.isStopping = true;
  if (running === undefined) process.exit(code);
  const { service, logger, stopTimeoutMs } = running;
  const deadline = setTimeout(() => {
    console.error(`${service.name} did not stop within ${stopTimeoutMs + CLOSING_MS} ms`);
    process.exit(1);
  }, stopTimeoutMs + CLOSING_MS);
  let exitCode = code;
  try {
    logger.info('stopping');
    await started?.catch(() => undefined);
    await service.stop();
    await state.tracing?.stop();
    logger.info('stopped');
  } catch (error) {
    logger.error('stopping failed', { error });
    exitCode = 1;
  }
  await endLogger(logger);
  clearTimeout(deadline);
  process.exit(exitCode);
}

/** Logged once per outage: a service works without its collector. */
function logTracingChange({ running }: ProcessState, fault: Error | undefined): void {
  if (fault === undefined) running?.logger.info('traces can be sent again');
  else running?.logger.warn('traces can not be sent', { error: fault });
}

function failStart(name: string, error: unknown): never {
  console.error(redactText(`${name} can't start:${describeStartError(error)}`));
  process.exit(1);
}

function describeStartError(error: unknown): string {
  if (error instanceof ConfigError) {
    const { faults } = error;
    return faults.length === 1 ? ` ${String(faults[0])}` : ['', ...faults].join('\n  ');
  }
  const isPlain = error instanceof StartError || error instanceof AppError || error instanceof StartupError;
  return ` ${isPlain ? error.message : describeError(error)}`;
}
