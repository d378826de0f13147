export { ProcessEndedError } from './child.ts';
export { createProcessPool, type ProcessPool } from './process-pool.ts';
