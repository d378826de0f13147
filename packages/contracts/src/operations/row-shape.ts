import { z } from 'zod';
import type { Operation } from './operation.ts';

/** Where an answer's rows are, and what each is. */
export interface RowShape {
  /** The name of the body's array, `''` where the body is that array. */
  readonly at: string;
  /** Texts have one column, `name`; objects a column for each field, in the order of their schema. */
  readonly of: 'objects' | 'texts';
  readonly columns: readonly string[];
}

/**
 * The shape of the rows that an operation answers a query with; undefined where it answers with something else.
 *
 * @param query validated, or canonical
 */
export function rowShape(
  { id, answer, rows: at, hasOptionalFields }: Pick<Operation, 'id' | 'answer' | 'rows' | 'hasOptionalFields'>,
  query: Readonly<Record<string, unknown>>,
): RowShape | undefined {
  if (at === undefined) return undefined;
  const row = elementOf(at === '' ? answer : fieldsOf(answer)[at]);
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
