import { AppError } from '@lobbystats/errors';

/** What kind of fault something thrown is: never its message, which may quote what people wrote. */
export function faultKind(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
