import { join } from 'node:path';
import { createSemaphore } from '@lobbystats/service-kit/concurrency';
import { AppError } from '@lobbystats/contracts/errors';
import Tinypool from 'tinypool';
import { unavailable } from '../upstreams/upstreams.ts';
import type { Rasterize } from './rasterize.ts';
import type { RenderTask } from './render-svg.node.ts';

export interface Rasterizer {
  readonly rasterize: Rasterize;
  close(): Promise<void>;
}

/** Images that render at once in one process: further ones wait. */
const PERMITS = 1;
const WAIT_MS = 3000;
/** A thread without work ends after that, and its 100 MB are free again. */
const IDLE_MS = 30_000;

/** Renders images in a thread, which starts with the first image. */
export function createRasterizer(): Rasterizer {
  const pool = new Tinypool({
    filename: join(import.meta.dirname, 'render-svg.node.ts'),
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: PERMITS,
    idleTimeout: IDLE_MS,
    // A thread needs none of the settings, which contain secrets.
    env: {},
  });
  const semaphore = createSemaphore({
    permits: PERMITS,
    waitMs: WAIT_MS,
    createError: () => new AppError('unavailable', 'Too many images are requested, try again soon'),
  });
  return {
    rasterize: async (svg, { width } = {}) => {
      const task: RenderTask = { svg, width };
      return semaphore.run(async () => render(pool, task));
    },
    close: () => pool.destroy(),
  };
}

async function render(pool: Tinypool, task: RenderTask): Promise<Buffer> {
  try {
    const { buffer, byteOffset, byteLength } = (await pool.run(task, { name: 'renderSvg' })) as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength);
  } catch (cause) {
    throw unavailable(cause);
  }
}
