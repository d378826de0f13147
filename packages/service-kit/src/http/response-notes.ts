import type { ServerResponse } from 'node:http';

/** What the line in the log and the measurement of a request say of it, beside what HTTP shows. */
export interface ResponseNotes {
  /** The operation that answers. */
  operation?: string;
  /** What was thrown. */
  fault?: unknown;
}

const NOTES = Symbol('notes');

interface Noted extends ServerResponse {
  [NOTES]?: ResponseNotes;
}

/** Counts the request under an operation's id. Never a path or anything else that a caller chooses. */
export function labelOperation(res: ServerResponse, operationId: string): void {
  editable(res).operation = operationId;
}

/** Keeps what made an answer an error; of several the first. */
export function noteFault(res: ServerResponse, fault: unknown): void {
  editable(res).fault ??= fault;
}

export function notesOf(res: ServerResponse): Readonly<ResponseNotes> {
  return (res as Noted)[NOTES] ?? {};
}

function editable(res: Noted): ResponseNotes {
  const notes = res[NOTES] ?? {};
  res[NOTES] = notes;
  return notes;
}
