import { formats, rowMediaTypes, type Format, type Operation, type RowFormat } from '@lobbystats/contracts';
import type { Values } from '../upstreams/upstreams.ts';

export interface FormatChoice {
  readonly format: Format;
  readonly query: Values;
}

export function chooseFormat({ format: requestedFormat, ...query }: Values): FormatChoice {
  return { format: formats.find((one) => one === requestedFormat) ?? 'json', query };
}

export function rowHeaders(operation: Operation, params: Values, format: RowFormat): Readonly<Record<string, string>> {
  return {
    'Content-Type': rowMediaTypes[format],
    'Content-Disposition': `attachment; filename="${fileName(operation, params)}.${format}"`,
  };
}

/** The path by ID, without the common prefix. */
function fileName({ path }: Operation, params: Values): string {
  return path
    .replace(/:(\w+)/g, (_, name: string) => String(params[name]))
    .replace(/^\/\w+\/(?:title\/)?/, '')
    .replace(/[^\w.-]+/g, '-');
}
