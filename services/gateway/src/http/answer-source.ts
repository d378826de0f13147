import type { Operation, RowFormat } from '@lobbystats/contracts';
import { entityTag, JSON_TYPE } from '@lobbystats/service-kit';
import { LargeResult } from '../domain/cache/large-result.ts';
import type { MadeAnswer, Wanted } from '../domain/cache/wanted.ts';
import { strongTag } from '../domain/entity-tag.ts';
import { inFormat, largeInFormat } from '../domain/formats/in-format.ts';
import { isLarge, type OwnerAnswer, type Owners, type Values } from '../domain/owners.ts';
import type { Composition } from './composition.ts';
import { chooseFormat, rowHeaders } from './formats.ts';
import { alone } from './pack.ts';

export interface ParsedRequest {
  readonly operation: Operation;
  readonly params: Values;
  readonly query: Values;
  readonly body?: unknown;
  readonly sessionKey?: string | undefined;
}

/**
 * Fetches the answer to a request from its owner or its composition, in the format that the request names.
 *
 * @returns a function that throws AppError as owners do
 */
export function answerSource(request: ParsedRequest, owners: Owners, compose: Composition | undefined): Wanted['make'] {
  const { operation, params, body, sessionKey } = request;
  const { format, query } = chooseFormat(request.query);
  return async () => {
    const answer =
      compose === undefined
        ? await owners.open(operation, params, query, { body, sessionKey })
        : await compose({ params, query }, owners.together());
    if (format === 'json') {
      const headers = typeHeaders(operation, params);
      return isLarge(answer) ? new LargeResult(answer, headersOf(answer, headers)) : madeAnswer(answer, headers);
    }
    const headers = typeHeaders(operation, params, format);
    const asked = { operation, query, format };
    if (!isLarge(answer)) return madeAnswer(inFormat(asked, answer), headers);
    const rows = largeInFormat(asked, answer);
    return new LargeResult(rows, headersOf(rows, headers));
  };
}

export function typeHeaders(
  operation: Operation,
  params: Values,
  format?: RowFormat,
): Readonly<Record<string, string>> {
  if (format !== undefined) return rowHeaders(operation, params, format);
  return { 'Content-Type': operation.mediaType ?? JSON_TYPE };
}

export function madeAnswer(answer: OwnerAnswer, ofBody: Readonly<Record<string, string>>): MadeAnswer {
  const { body, etag } = answer;
  return { body: alone(body), tag: strongTag(etag) ?? entityTag(body), headers: headersOf(answer, ofBody) };
}

function headersOf(
  { lastModified, link }: Pick<OwnerAnswer, 'lastModified' | 'link'>,
  ofBody: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    ...ofBody,
    ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
    ...(link !== undefined && { Link: link }),
  };
}
