import { createSimulator, type SimulatorOptions, type World } from '../src/index.ts';

/** Default time of the simulators under test, in the middle of a slot. */
export const NOW = Date.UTC(2026, 4, 20, 18, 32, 10);

/** The same in epoch seconds, and the slot in which it lies. */
export const NOW_SECONDS = NOW / 1000;
export const NOW_SLOT = NOW_SECONDS - (NOW_SECONDS % 300);

/** A running simulator with request helpers. */
export interface RunningSimulator {
  url: string;
  world: World;
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  text: (path: string) => Promise<string>;
  json: <T>(path: string) => Promise<T>;
  put: (path: string, body: unknown) => Promise<Response>;
  faults: (...faults: object[]) => Promise<void>;
}

/** Runs a test on a simulator whose clock is fixed at `NOW`, and stops it afterwards. */
export async function withSimulator(
  options: SimulatorOptions,
  test: (simulator: RunningSimulator) => Promise<void>,
): Promise<void> {
  const simulator = createSimulator({ clock: () => NOW, ...options });
  const { url } = await simulator.start();
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });
  const put = (path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  try {
    await test({
      url,
      world: simulator.world,
      get,
      put,
      text: async (path) => (await get(path)).text(),
      json: async <T>(path: string) => (await (await get(path)).json()) as T,
      async faults(...faults) {
        const response = await put('/simulator/faults', { faults });
        if (response.status !== 200) throw new Error(await response.text());
      },
    });
  } finally {
    await simulator.stop();
  }
}

/** Epoch seconds as the simulator writes instants. */
export function instant(epochSeconds: number): string {
  return `${new Date(epochSeconds * 1000).toISOString().slice(0, 19)}Z`;
}
