/** A measured cost at one scale. The growth law compares it between scales. */
export interface Cost {
  /** Identifies the cost at every scale. */
  readonly what: string;
  readonly unit: 'CPU ms' | 'MB' | 'bytes' | 'requests' | 's';
  readonly amount: number;
  /** The units that the amount may grow with; none: it must not grow. */
  readonly per?: { readonly what: string; readonly count: number };
}

export type Measure = (what: string, cost: Omit<Cost, 'what'>) => void;

/** Processor time of this process, in milliseconds. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param cpuMs processor time so far */
export async function cpuOf(work: () => Promise<unknown>, cpuMs: () => Promise<number> | number): Promise<number> {
  const before = await cpuMs();
  await work();
  return (await cpuMs()) - before;
}

/** Processor time of this process and of a server, in milliseconds. Without a server its time is 0. */
export async function cpuWithServer(
  work: () => Promise<unknown>,
  serverCpuMs: () => Promise<number> | number = () => 0,
): Promise<{ ownMs: number; serverMs: number }> {
  let serverMs = 0;
  const ownMs = await cpuOf(async () => {
    serverMs = await cpuOf(work, serverCpuMs);
  }, ownCpuMs);
  return { ownMs, serverMs };
}
