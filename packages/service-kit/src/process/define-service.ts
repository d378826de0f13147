import { setMaxListeners } from 'node:events';
import { secondsClock } from '@lobbystats/contracts';
import { createLogger, type Logger } from '../logs/create-logger.ts';
import { createMetrics, type Metrics } from '../metrics/create-metrics.ts';
import type { ServerConfig } from '../config/base-settings.ts';
import type { Env } from '../config/read-config.ts';
import { composeService, type ComposedService, type Composition } from './compose-service.ts';
import { openResources, type OpenResource } from './lifecycle.ts';
import { runProcess } from './process-main.ts';

/** Graceful shutdown: time for requests in flight to complete. The stack kills a container after 20 s. */
export const STOP_TIMEOUT_MS = 10_000;

/** The arguments with which the parts of a service are opened. */
export interface Shell<Config> {
  readonly config: Config;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Epoch seconds. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Aborted before the service's components are stopped. */
  readonly stopping: AbortSignal;
  /** Opens a resource that is closed with the parts. */
  readonly use: OpenResource;
}

/** The shell of one process that runs several services, or of a test. */
interface ShellOverrides {
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  validateResponses?: boolean;
  /** Default: `STOP_TIMEOUT_MS`. */
  stopTimeoutMs?: number;
}

type Context<Config, Parts> = Shell<Config> & Parts;
type Overrides<Parts> = Partial<Parts> & ShellOverrides;

interface Definition<Config, Parts, Members> {
  name: string;
  /** @throws ConfigError that names every fault of the environment */
  readConfig: (env: Env) => Config;
  /** Opened in this order unless overridden, closed in reverse. Those with a `check` are dependencies of readiness. */
  parts: { [Name in keyof Parts]: (shell: Shell<Config>) => Parts[Name] | Promise<Parts[Name]> };
  /** Connects the parts: routes, consumers, background tasks. Called again for each instance. */
  compose: (context: Context<Config, Parts>) => Composition<Members> | Promise<Composition<Members>>;
}

/** A service that runs in its own process, in one with others, and in tests. */
export interface ServiceDefinition<Config, Parts, Members> {
  readonly name: string;
  readConfig(env: Env): Config;
  /** Opens the parts. Overridden parts stay open when the service stops. */
  create(config: Config, overrides?: Overrides<Parts>): Promise<ComposedService & Members>;
  /** Opens the parts for a command instead of a service, and closes them after it. */
  withParts<Result>(
    config: Config,
    overrides: Overrides<Parts>,
    work: (context: Context<Config, Parts>) => Promise<Result>,
  ): Promise<Result>;
  /** Runs this process as the service, with the settings of its environment. */
  run(overrides?: Overrides<Parts>): Promise<void>;
}

/** The parts and the shell that `create` accepts instead of its own. */
export type OverridesOf<Defined> = Defined extends { create(config: never, overrides?: infer Given): unknown }
  ? NonNullable<Given>
  : never;

export function defineService<Config extends ServerConfig, Parts extends object, Members extends object = object>(
  definition: Definition<Config, Parts, Members>,
): ServiceDefinition<Config, Parts, Members> {
  type Opener = (typeof definition.parts)[keyof Parts];
  const { name, readConfig } = definition;
  const openParts = async (
    config: Config,
    overrides: Overrides<Parts>,
    { stopping, use }: Pick<Shell<Config>, 'stopping' | 'use'>,
  ): Promise<Context<Config, Parts>> => {
    const { clock = Date.now, metrics = createMetrics(name) } = overrides;
    const logger = overrides.logger ?? createLogger({ service: name, level: config.LOG_LEVEL });
    const shell = { config, clock, now: secondsClock(clock), logger, metrics, stopping, use };
    const given: Partial<Parts> = overrides;
    const parts: Partial<Parts> = {};
    for (const [part, open] of Object.entries(definition.parts) as [keyof Parts, Opener][]) {
      parts[part] = await use<Parts[keyof Parts]>(given[part], () => open(shell));
    }
    return { ...shell, ...(parts as Parts) };
  };
  const create: ServiceDefinition<Config, Parts, Members>['create'] = async (config, overrides = {}) => {
    const stopping = abortController();
    const { context, composition, disposers } = await openResources(async (use) => {
      const opened = await openParts(config, overrides, { stopping: stopping.signal, use });
      return { context: opened, composition: await definition.compose(opened) };
    });
    const { validateResponses = false, stopTimeoutMs = STOP_TIMEOUT_MS } = overrides;
    const dependencies = checksOf(context, Object.keys(definition.parts));
    return composeService(
      { dependencies, ...composition },
      { ...context, name, validateResponses, stopTimeoutMs, stopping, disposers },
    );
  };
  return {
    name,
    readConfig,
    create,
    withParts: async (config, overrides, work) => {
      const stopping = abortController();
      const { result, disposers } = await openResources(async (use) => {
        try {
          return { result: await work(await openParts(config, overrides, { stopping: stopping.signal, use })) };
        } finally {
          stopping.abort();
        }
      });
      for (const close of disposers.toReversed()) await close();
      return result;
    },
    run: (overrides) =>
      runProcess({
        name,
        create: async (env) => {
          const service = await create(readConfig(env), overrides);
          return { service, logger: service.logger, stopTimeoutMs: STOP_TIMEOUT_MS };
        },
      }),
  };
}

function abortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function checksOf(context: object, names: readonly string[]): Record<string, () => Promise<void>> {
  const parts = Object.entries(context as Record<string, { check?: () => Promise<void> } | undefined>);
  return Object.fromEntries(
    parts.flatMap(([name, part]) => {
      const isChecked = names.includes(name) && typeof part?.check === 'function';
      return isChecked ? [[name, async () => part.check?.()]] : [];
    }),
  );
}
