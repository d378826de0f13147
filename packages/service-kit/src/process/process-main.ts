import { inspect } from 'node:util';
import { AppError, RefusalError } from '@lobbystats/errors';
import { ConfigError, type Env } from '../config/read-config.ts';
import { StartError } from '../http/listen.ts';
import { endLogger, type Logger } from '../logs/create-logger.ts';
import { redactText } from '../logs/redact.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Service } from './service.ts';

/** A service that has been made, and what its process needs to know of it. */
export interface RunningProcess {
  service: Service;
  logger: Logger;
  /** How long requests in flight may take at the end, in milliseconds. */
  stopTimeoutMs: number;
}

export interface ProcessOptions {
  name: string;
  create: (env: Env) => Promise<RunningProcess>;
}

/** What closing takes after the last request (flushing, stores), in milliseconds. */
const CLOSING_MS = 2000;

/**
 * The life of a service's process, from its environment to its exit code. SIGINT and SIGTERM stop it within its
 * deadline, code 0; a second one ends it at once, 130 or 143. A start that fails says why in a line a fault, code 1. A
 * fault that nobody caught is logged once, the service stops, code 1.
 */
export async function runProcess({ name, create }: ProcessOptions): Promise<void> {
  const life: Life = { ending: false };
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (life.ending || life.running === undefined) process.exit(life.ending ? code : 0);
      void end(life, 0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      if (life.ending) return;
      if (life.running === undefined) failStart(name, error);
      life.running.logger.error('a fault that nobody caught: stopping', { error });
      void end(life, 1);
    });
  }
  try {
    life.tracing = await startTracing(process.env, {
      name,
      onChange: (fault) => {
        tellOfTraces(life, fault);
      },
    });
    life.running = await create(process.env);
    life.started = life.running.service.start();
    await life.started;
  } catch (error) {
    if (!life.ending) failStart(name, error);
  }
}

interface Life {
  tracing?: Tracing | undefined;
  running?: RunningProcess;
  started?: Promise<void>;
  ending: boolean;
}

async function end(life: Life, code: number): Promise<never> {
  const { running, started } = life;
  life.ending = true;
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
    await life.tracing?.stop();
    logger.info('stopped');
  } catch (error) {
    logger.error('stopping failed', { error });
    exitCode = 1;
  }
  await endLogger(logger);
  clearTimeout(deadline);
  process.exit(exitCode);
}

/** Traces are for looking at: that nobody takes them is told once, and harms nothing. */
function tellOfTraces({ running }: Life, fault: Error | undefined): void {
  if (fault === undefined) running?.logger.info('traces can be sent again');
  else running?.logger.warn('traces can not be sent', { error: fault });
}

function failStart(name: string, error: unknown): never {
  console.error(redactText(`${name} can't start:${reasonOf(error)}`));
  process.exit(1);
}

/** For what an operator can mend, the sentence that says how; for anything else, all there is. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) {
    const [only, ...others] = error.faults;
    return others.length === 0 ? ` ${String(only)}` : ['', ...error.faults].join('\n  ');
  }
  const isPlain = error instanceof StartError || error instanceof AppError || error instanceof RefusalError;
  return ` ${isPlain ? error.message : inspect(error)}`;
}
