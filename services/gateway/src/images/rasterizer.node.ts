import { join } from 'node:path';
import { createSemaphore } from '@lobbystats/service-kit/concurrency';
import { createProcessPool } from '@lobbystats/service-kit/process-pool';
import { AppError } from '@lobbystats/contracts/errors';
import { unavailable } from '../upstreams/upstreams.ts';
import type { Rasterize } from './rasterize.ts';
import type { RenderTask } from './render-svg.node.ts';

export interface Rasterizer {
  readonly rasterize: Rasterize;
  close(): Promise<void>;
}

/** Images that render at once: further ones wait. */
const PERMITS = 1;
const WAIT_MS = 3000;
/** Most images take less than a tenth of this. */
const DEADLINE_MS = 5000;
const MEMORY_MB = 128;
/** A process without work ends after that, and its memory is free again. */
const IDLE_MS = 30_000;

/** Renders images in a child process, which starts with the first image. */
export function createRasterizer(): Rasterizer {
  const pool = createProcessPool<RenderTask, Uint8Array>({
    entry: join(import.meta.dirname, 'main.node.ts'),
    size: PERMITS,
    memoryMb: MEMORY_MB,
    idleMs: IDLE_MS,
    // The request of the image fails, and says so.
    onCrash: () => undefined,
  });
  const semaphore = createSemaphore({
    permits: PERMITS,
    waitMs: WAIT_MS,
    createError: () => new AppError('unavailable', 'Too many images are requested, try again soon'),
  });
  return {
    rasterize: async (svg, { width } = {}) =>
      semaphore.run(async () => {
        const limits = { deadlineMs: DEADLINE_MS, isUrgent: false };
        const { buffer, byteOffset, byteLength } = await pool.run({ svg, width }, limits).catch((cause: unknown) => {
          throw unavailable(cause);
        });
        return Buffer.from(buffer, byteOffset, byteLength);
      }),
    close: () => pool.close(),
  };
}
