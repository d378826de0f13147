import type { Logger } from '../logs/create-logger.ts';

export interface Service {
  readonly name: string;
  /** Valid after `start`. */
  url(): string;
  start(): Promise<void>;
  /** Resolves when work in progress is finished and everything is closed. */
  stop(): Promise<void>;
}

export type Stop = () => Promise<void>;

interface LifecycleOptions {
  logger: Logger;
  /** Called after everything else has stopped, in reverse order. */
  disposers?: readonly Stop[];
  /** Called before anything stops. */
  onStopping?: () => void;
  begin: (started: (stop: Stop) => void) => Promise<void>;
}

/** Stops in reverse order, also after a failed start. `stop` waits for a start in progress and is idempotent. */
export function lifecycle({ logger, disposers = [], onStopping, begin }: LifecycleOptions): {
  start: Stop;
  stop: Stop;
} {
  let starting = Promise.resolve();
  let stopped: Promise<void> | undefined;
  const running = [...disposers];
  const shutDown = () => {
    onStopping?.();
    return stopInOrder(running.splice(0).reverse());
  };
  const undo = async (error: unknown) => {
    await shutDown().catch((fault: unknown) => logger.warn('stopping failed', { error: fault }));
    throw error;
  };
  return {
    start: () => {
      starting = begin((stop) => running.push(stop)).catch(undo);
      return starting;
    },
    stop: () => {
      stopped ??= starting.catch(() => undefined).then(shutDown);
      return stopped;
    },
  };
}

/** Returns the injected resource, else opens one, which is closed with its `close` if it has one. */
export type OpenResource = <Resource>(
  injected: Resource | undefined,
  open: () => Resource | Promise<Resource>,
) => Promise<Resource>;

/** Opens resources one by one and closes them again if one fails. @returns disposers in the order of opening */
export async function openResources<Parts extends object>(
  open: (part: OpenResource) => Promise<Parts>,
): Promise<Parts & { disposers: readonly Stop[] }> {
  const disposers: Stop[] = [];
  try {
    const parts = await open(async (injected, openResource) => {
      if (injected !== undefined) return injected;
      const resource = await openResource();
      if (isClosable(resource)) disposers.push(async () => resource.close());
      return resource;
    });
    return { ...parts, disposers };
  } catch (error) {
    // The first error is the one to report.
    await stopInOrder(disposers.toReversed()).catch(() => undefined);
    throw error;
  }
}

function isClosable(resource: unknown): resource is { close(): Promise<void> | void } {
  return typeof resource === 'object' && resource !== null && 'close' in resource;
}

/** Calls all in sequence, even if some fail. @throws the first error, at the end */
async function stopInOrder(stops: readonly Stop[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops) await Promise.try(stop).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
