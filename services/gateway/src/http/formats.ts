import { formats, rowTypes, type Format, type Operation, type RowFormat } from '@lobbystats/contracts';
import type { Values } from '../domain/owners.ts';

/** A query, and the format in which its answer is wanted. */
export interface FormatChoice {
  readonly format: Format;
  /** The query without the format: what an owner is asked. */
  readonly query: Values;
}

/**
 * Takes the format out of a query.
 *
 * @param query canonical
 */
export function chooseFormat({ format: given, ...query }: Values): FormatChoice {
  return { format: formats.find((one) => one === given) ?? 'json', query };
}

/** Headers of an answer's rows in a format: their type, and the name under which a browser saves them. */
export function rowHeaders(operation: Operation, params: Values, format: RowFormat): Readonly<Record<string, string>> {
  return {
    'Content-Type': rowTypes[format],
    'Content-Disposition': `attachment; filename="${fileName(operation, params)}.${format}"`,
  };
}

/** The path by ID, whichever way the resource was asked for, without what all have in common. */
function fileName({ path }: Operation, params: Values): string {
  return path
    .replace(/:(\w+)/g, (_, name: string) => String(params[name]))
    .replace(/^\/\w+\/(?:title\/)?/, '')
    .replace(/[^\w.-]+/g, '-');
}
