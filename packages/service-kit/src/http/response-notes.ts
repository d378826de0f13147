import type { ServerResponse } from 'node:http';

/** What the log and the metrics say of a request beside what HTTP shows. It lies in Express's `res.locals`. */
export interface ResponseNotes {
  /** The operation that answers. */
  operation?: string;
  /** What was thrown. */
  fault?: unknown;
}

type Noted = ServerResponse & { locals?: ResponseNotes };

/** Counts the request under an operation's id. Never a path or anything else that a caller chooses. */
export function labelOperation(res: ServerResponse, operationId: string): void {
  notesOf(res).operation = operationId;
}

/** Stores the error of a request; of several the first. */
export function noteFault(res: ServerResponse, fault: unknown): void {
  notesOf(res).fault ??= fault;
}

export function notesOf(res: Noted): ResponseNotes {
  return (res.locals ??= {});
}
