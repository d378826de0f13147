import type { Operation } from '../../index.ts';
import { z } from 'zod';

const PAGING = ['cursor', 'offset', 'feedbackOffset'];

/**
 * Name of the field with the elements of a page.
 *
 * @returns undefined if the operation has no pages, or pages of text
 * @throws Error if the field is ambiguous
 */
export function itemsField({
  id,
  query,
  response,
  mediaType,
}: Pick<Operation, 'id' | 'query' | 'response' | 'mediaType'>): string | undefined {
  if (mediaType !== undefined || !PAGING.some((name) => name in query.shape)) return undefined;
  const fields = response instanceof z.ZodObject ? Object.entries(response.shape) : [];
  const [field, ...others] = fields.filter(([, schema]) => schema instanceof z.ZodArray && isObject(schema.element));
  if (field === undefined || others.length > 0) throw new Error(`The pages of ${id} have no single list of objects`);
  return field[0];
}

function isObject(schema: unknown): boolean {
  return schema instanceof z.ZodObject;
}
