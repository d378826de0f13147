import { startProgram, type Core } from './own-process.ts';

/** What the gateway's process is told: to start, or that a slot has become readable. */
export type GatewayCommand = { start: GatewayStart } | { slotStored: true };

interface GatewayStart {
  /** Every owner at once. */
  ownersUrl: string;
  /** 0: nothing is kept. */
  cacheBytes: number;
}

/** A gateway by itself, with a bus in its own process. */
export interface BenchGateway {
  readonly pid: number;
  readonly port: number;
  /** Tells the log of facts that the present slot is readable; resolves when the gateway's bus has it. */
  slotStored(): Promise<void>;
}

/** Starts it on the server's core unless told otherwise, with the present slot told of; it ends with the stack. */
export async function startGateway(
  start: GatewayStart,
  stack: AsyncDisposableStack,
  core: Core = 'server',
): Promise<BenchGateway> {
  const program = startProgram('gateway-main.ts', core, stack);
  const tell = (command: GatewayCommand) => program.ask(command);
  const port = (await tell({ start })) as number;
  const slotStored = async () => {
    await tell({ slotStored: true });
  };
  await slotStored();
  return { pid: program.pid, port, slotStored };
}

/** As much as the gateway's cache has by itself, and far more than a benchmark fills. */
export const CACHE_BYTES = 64 * 1024 * 1024;
