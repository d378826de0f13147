import { AppError } from '@lobbystats/errors';
import type { AxiosInstance, AxiosResponse } from 'axios';
import type { z } from 'zod';
import type { AnyOperation } from '../http/route.ts';

/** What an operation is called with: path parameters, and as much of the query as isn't to be the default. */
export interface OperationCall<Op extends AnyOperation> {
  params: z.input<Op['params']>;
  query: Partial<z.output<Op['query']>>;
}

/**
 * Calls an operation of another service.
 *
 * @param call values that the operation's schemas have accepted
 * @returns the body of its 200, as the owner's own tests check it
 * @throws AppError `not-found` or `invalid` as the other service answers, with its message
 * @throws AppError `unavailable` when it can't be reached in time, or answers anything else
 */
export async function callOperation<Op extends AnyOperation>(
  client: AxiosInstance,
  baseUrl: string,
  operation: Op,
  call: OperationCall<Op>,
): Promise<z.output<Op['answer']>> {
  const { status, data } = await ask(client, urlOf(baseUrl, operation, call));
  if (status === 200) return data as z.output<Op['answer']>;
  if (status === 404) throw new AppError('not-found', errorIn(data) ?? 'Not found');
  if (status === 400) throw new AppError('invalid', errorIn(data) ?? 'Malformed request');
  throw unavailable(new Error(`${operation.id} was answered with ${status}`));
}

async function ask(client: AxiosInstance, url: string): Promise<AxiosResponse<unknown>> {
  try {
    return await client.get<unknown>(url, {
      responseType: 'json',
      transitional: { silentJSONParsing: false },
    });
  } catch (cause) {
    throw unavailable(cause);
  }
}

function urlOf(baseUrl: string, { path }: AnyOperation, { params, query }: OperationCall<AnyOperation>): string {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const base = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;
  return `${base}${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

function errorIn(data: unknown): string | undefined {
  const { error } = (data ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'A service behind this one is unavailable', { cause });
}
