import type { ServerResponse } from 'node:http';

export function delayResponse(ms: number, response: ServerResponse, stopping: AbortSignal): Promise<void> {
  if (ms === 0 || stopping.aborted || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    response.once('close', done);
    stopping.addEventListener('abort', done);
    function done(): void {
      clearTimeout(timer);
      response.off('close', done);
      stopping.removeEventListener('abort', done);
      resolve();
    }
  });
}
