import { SingleFlight, withTimeout } from '../concurrency/index.ts';
import { AppError } from '@lobbystats/contracts/errors';

interface DependencyReport {
  status: 'up' | 'down';
  error?: string;
}

interface HealthReport {
  status: 'ready' | 'not ready' | 'stopping';
  service: string;
  dependencies: Record<string, DependencyReport>;
  [detail: string]: unknown;
}

interface HealthChange {
  name: string;
  status: 'up' | 'down';
  cause?: unknown;
}

export interface Health {
  readonly service: string;
  /** Adds a required dependency. `check` rejects when it is down; it times out after 2 s. */
  dependency(name: string, check: () => Promise<void>): void;
  stopping(): void;
  /** Checks all dependencies in parallel. Never rejects. */
  report(): Promise<HealthReport>;
  /** Calls `listener` when a dependency's status differs from that in the previous report. */
  onChange(listener: (change: HealthChange) => void): void;
}

interface HealthOptions {
  service: string;
  /** Further fields of a report. */
  details?: () => Record<string, unknown>;
}

const CHECK_TIMEOUT_MS = 2000;
const withCheckTimeout = withTimeout(CHECK_TIMEOUT_MS, `no answer within ${CHECK_TIMEOUT_MS} ms`);

export function createHealth({ service, details }: HealthOptions): Health {
  const dependencies: Dependency[] = [];
  const listeners: ((change: HealthChange) => void)[] = [];
  let stopping = false;
  return {
    service,
    dependency: (name, check) => {
      dependencies.push(trackDependency(name, check, (change) => listeners.forEach((listener) => listener(change))));
    },
    stopping: () => {
      stopping = true;
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    report: async () => {
      const reports = await Promise.all(dependencies.map(async ({ name, probe }) => [name, await probe()] as const));
      const ready = reports.every(([, { status }]) => status === 'up');
      const status = stopping ? 'stopping' : ready ? 'ready' : 'not ready';
      return { ...details?.(), status, service, dependencies: Object.fromEntries(reports) };
    },
  };
}

interface Dependency {
  name: string;
  probe: () => Promise<DependencyReport>;
}

/** Single-flight: concurrent reports share a check, and a check that hangs is not started again. */
function trackDependency(name: string, check: () => Promise<void>, notify: (change: HealthChange) => void): Dependency {
  const flights = new SingleFlight<string>();
  let last: 'up' | 'down' = 'up';
  const report = (change: HealthChange) => {
    if (change.status !== last) notify(change);
    last = change.status;
  };
  const probe = async (): Promise<DependencyReport> => {
    try {
      await withCheckTimeout(() => flights.run(name, () => Promise.try(check)));
    } catch (cause) {
      report({ name, status: 'down', cause });
      return { status: 'down', error: publicReason(cause) };
    }
    report({ name, status: 'up' });
    return { status: 'up' };
  };
  return { name, probe };
}

/** `/readyz` is public: driver messages and host names stay in the log. */
function publicReason(cause: unknown): string {
  return cause instanceof AppError ? cause.message : 'does not work';
}
