import { AppError } from '@lobbystats/errors';
import { promptly } from '../http/promptly.ts';

export interface DependencyReport {
  status: 'up' | 'down';
  /** Why it is down, in words that may be shown. */
  error?: string;
}

/** What `/readyz` answers. */
export interface HealthReport {
  status: 'ready' | 'not ready' | 'stopping';
  service: string;
  dependencies: Record<string, DependencyReport>;
  [detail: string]: unknown;
}

/** A dependency that went down or came up again. */
export interface HealthChange {
  name: string;
  status: 'up' | 'down';
  /** What its check threw. */
  cause?: unknown;
}

/** Whether a service can do its work. */
export interface Health {
  readonly service: string;
  /** Adds something that the service can't work without. `check` rejects when it is down; it has 2 s. */
  dependency(name: string, check: () => Promise<void>): void;
  /** From now on the service takes no new work. */
  stopping(): void;
  /** Asks every dependency, side by side. Never rejects. */
  report(): Promise<HealthReport>;
  /** Tells `listener` when a report finds a dependency otherwise than the one before. */
  onChange(listener: (change: HealthChange) => void): void;
}

export interface HealthOptions {
  service: string;
  /** What else `/readyz` says, such as the network's origin. */
  details: Record<string, unknown>;
}

const CHECK_TIMEOUT_MS = 2000;
const inTime = promptly(CHECK_TIMEOUT_MS, `no answer within ${CHECK_TIMEOUT_MS} ms`);

/** Makes the health of one service: without dependencies it is ready until it stops. */
export function createHealth({ service, details }: HealthOptions): Health {
  const dependencies: Dependency[] = [];
  const listeners: ((change: HealthChange) => void)[] = [];
  let stopping = false;
  return {
    service,
    dependency: (name, check) => {
      const tell = (change: HealthChange) => listeners.forEach((listener) => listener(change));
      dependencies.push(watch(name, check, tell));
    },
    stopping: () => {
      stopping = true;
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    report: async () => {
      const reports = await Promise.all(dependencies.map(async ({ name, ask }) => [name, await ask()] as const));
      const ready = reports.every(([, { status }]) => status === 'up');
      const status = stopping ? 'stopping' : ready ? 'ready' : 'not ready';
      return { ...details, status, service, dependencies: Object.fromEntries(reports) };
    },
  };
}

interface Dependency {
  name: string;
  ask: () => Promise<DependencyReport>;
}

/** Reports that are asked for while a check runs share it: a check that hangs is not started again. */
function watch(name: string, check: () => Promise<void>, tell: (change: HealthChange) => void): Dependency {
  let running: Promise<void> | undefined;
  let last: 'up' | 'down' = 'up';
  const ask = async (): Promise<DependencyReport> => {
    const shared = (running ??= Promise.try(check).finally(() => {
      running = undefined;
    }));
    const outcome = await outcomeOf(() => inTime(() => shared));
    const status = outcome.up ? 'up' : 'down';
    if (status !== last) {
      last = status;
      tell(outcome.up ? { name, status } : { name, status, cause: outcome.cause });
    }
    return outcome.up ? { status } : { status, error: publicReason(outcome.cause) };
  };
  return { name, ask };
}

type Outcome = { up: true } | { up: false; cause: unknown };

async function outcomeOf(check: () => Promise<void>): Promise<Outcome> {
  try {
    await check();
    return { up: true };
  } catch (cause) {
    return { up: false, cause };
  }
}

/** Readiness can be read by anyone: driver messages and host names stay in the log. */
function publicReason(cause: unknown): string {
  return cause instanceof AppError ? cause.message : 'does not work';
}
