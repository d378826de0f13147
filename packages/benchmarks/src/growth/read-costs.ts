import { startLoad, requestOf, sendLoad } from '../peers/load.ts';
import { cpuWithServer, type Measure } from './cost.ts';

const CONNECTIONS = 2;
const SECONDS = 2;
/** Compiles the code of the route. */
const WARM_UP_SECONDS = 1;

export interface ReadCosts {
  /**
   * Processor time of this process, and of the server, for each response.
   *
   * @param paths requested in turn
   */
  read(what: string, paths: readonly string[], per?: { what: string; count: number }): Promise<void>;
}

/** Requests come from another process, whose processor time is not counted. */
export function readCosts(
  stack: AsyncDisposableStack,
  { port, measure, serverCpuMs }: { port: number; measure: Measure; serverCpuMs?: () => Promise<number> },
): ReadCosts {
  const load = startLoad(stack, 'any');
  const send = async (paths: readonly string[], seconds: number) => {
    const requests = paths.map((path) => requestOf(path));
    return (
      await sendLoad(load, { port, connections: CONNECTIONS, seconds, requests, status: 200, rejectionStatus: 503 })
    ).responses;
  };
  return {
    read: async (what, paths, per) => {
      await send(paths, WARM_UP_SECONDS);
      let responses = 0;
      const { ownMs, serverMs } = await cpuWithServer(async () => {
        responses = await send(paths, SECONDS);
      }, serverCpuMs);
      // Without a response in time, the cost is missing in the table, which breaks its promise.
      if (responses === 0) return;
      measure(what, { unit: 'CPU ms', amount: ownMs / responses, ...(per && { per }) });
      if (serverCpuMs)
        measure(`${what}: server`, { unit: 'CPU ms', amount: serverMs / responses, ...(per && { per }) });
    },
  };
}
