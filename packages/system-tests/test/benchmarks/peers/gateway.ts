import { startProgram, type Core } from './bench-process.ts';

/** Starts the gateway, or publishes slot.stored. */
export type GatewayCommand = { start: GatewayStart } | { slotStored: true };

interface GatewayStart {
  /** One server as all upstreams. */
  upstreamUrl: string;
  /** 0: no cache. */
  cacheBytes: number;
}

/** A gateway process with an in-process bus. */
export interface BenchGateway {
  readonly pid: number;
  readonly port: number;
  /** Publishes slot.stored for the current slot; resolves when it is in the fact log. */
  slotStored(): Promise<void>;
}

/** Publishes the current slot once. The process runs until the stack is disposed. */
export async function startGateway(
  start: GatewayStart,
  stack: AsyncDisposableStack,
  core: Core = 'server',
): Promise<BenchGateway> {
  const program = startProgram('gateway-main.ts', core, stack);
  const tell = (command: GatewayCommand) => program.request(command);
  const port = (await tell({ start })) as number;
  const slotStored = async () => {
    await tell({ slotStored: true });
  };
  await slotStored();
  return { pid: program.pid, port, slotStored };
}

/** The default of the gateway, and far more than a benchmark needs. */
export const CACHE_BYTES = 64 * 1024 * 1024;
