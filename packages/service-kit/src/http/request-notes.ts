import type { ServerResponse } from 'node:http';

/** Data for log and metrics, stored in Express's `res.locals`. */
interface RequestNotes {
  operation?: string;
  fault?: unknown;
}

/** Sets the metric label: an operation's id, never text from the request. */
export function setOperationLabel(res: ServerResponse, operationId: string): void {
  notesOf(res).operation = operationId;
}

/** Keeps the first error of a request. */
export function noteFault(res: ServerResponse, fault: unknown): void {
  notesOf(res).fault ??= fault;
}

export function notesOf(res: ServerResponse & { locals?: RequestNotes }): RequestNotes {
  return (res.locals ??= {});
}

const suppressed = new WeakSet<object>();

/** Keeps an error that is counted or logged elsewhere out of the request log. One error may fail many requests. */
export function suppressRequestLog<Fault extends Error>(fault: Fault): Fault {
  suppressed.add(fault);
  return fault;
}

export function isLogSuppressed(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && suppressed.has(fault);
}
