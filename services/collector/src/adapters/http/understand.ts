import { PageNotUnderstoodError, sampleOf } from '../../domain/page-failures.ts';

/**
 * Reads a page, and shows a sample of one that can't be understood.
 *
 * @throws PageNotUnderstoodError with the sample
 */
export function understand<Reading>(text: string, read: (text: string) => Reading): Reading {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof PageNotUnderstoodError) throw new PageNotUnderstoodError(error.reason, sampleOf(text));
    throw error;
  }
}
