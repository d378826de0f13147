import type { z } from 'zod';

/** A request that the door cannot answer; `message` is for the client. */
export class DoorError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** All that is wrong with an input in one line: `faults.0.ms: Too big: …; …`. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ');
}
