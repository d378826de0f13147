import { z } from 'zod';
import type { Operation } from './operation.ts';

export interface RowShape {
  /** Field of the array, `''` if the body is the array. */
  readonly at: string;
  /** Texts have one column, `name`; objects one per field, in schema order. */
  readonly of: 'objects' | 'texts';
  readonly columns: readonly string[];
}

/** @param query validated or canonical. @returns undefined if the operation has no rows */
export function rowShape(
  { id, response, rows: at, hasOptionalFields }: Pick<Operation, 'id' | 'response' | 'rows' | 'hasOptionalFields'>,
  query: Readonly<Record<string, unknown>>,
): RowShape | undefined {
  if (at === undefined) return undefined;
  const row = elementOf(at === '' ? response : fieldsOf(response)[at]);
  if (row instanceof z.ZodString) return { at, of: 'texts', columns: ['name'] };
  const withOptional = hasOptionalFields?.(query) ?? false;
  const fields = Object.entries(fieldsOf(row)).filter(([, field]) => withOptional || !(field instanceof z.ZodOptional));
  if (fields.length === 0) throw new Error(`${id} has no rows ${at}`);
  return { at, of: 'objects', columns: fields.map(([name]) => name) };
}

function elementOf(schema: unknown): unknown {
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}
