import type { Operation, RowFormat } from '@lobbystats/contracts';
import { entityTag, JSON_TYPE } from '@lobbystats/service-kit';
import type { MadeAnswer, Wanted } from '../domain/cache/wanted.ts';
import { strongTag } from '../domain/entity-tag.ts';
import { inFormat, largeInFormat } from '../domain/formats/in-format.ts';
import { isLarge, type OwnerAnswer, type Owners, type Values } from '../domain/owners.ts';
import type { Composition } from './composition.ts';
import { chooseFormat, rowHeaders } from './formats.ts';
import { LargeFound } from './large-found.ts';
import { alone } from './pack.ts';

/** A request as it was understood: nothing else of it has a part in its answer. */
export interface Understood {
  readonly operation: Operation;
  /** Validated. */
  readonly params: Values;
  /** Canonical, `format` included. */
  readonly query: Values;
  readonly body?: unknown;
  readonly sessionKey?: string | undefined;
}

/**
 * Gives what its owner, or its composition, answers to a request, in the format in which it is wanted, as often as it is called.
 * It throws LargeFound for an answer that can't be held whole, and AppError as owners do.
 */
export function maker(understood: Understood, owners: Owners, compose: Composition | undefined): Wanted['make'] {
  const { operation, params, query: given, body, sessionKey } = understood;
  const { format, query } = chooseFormat(given);
  const open =
    compose === undefined
      ? owners.opener(operation, params, query, { body, sessionKey })
      : () => compose({ params, query }, owners.together());
  if (format === 'json') {
    const headers = typeHeaders(operation, params);
    return async () => {
      const answer = await open();
      if (isLarge(answer)) throw new LargeFound(answer);
      return made(answer, headers);
    };
  }
  const asked = { operation, query, format };
  return async () => {
    const answer = await open();
    if (isLarge(answer)) throw new LargeFound(largeInFormat(asked, answer));
    return made(inFormat(asked, answer), typeHeaders(operation, params, format));
  };
}

/** Headers that say what a body is. */
export function typeHeaders(
  operation: Operation,
  params: Values,
  format?: RowFormat,
): Readonly<Record<string, string>> {
  if (format !== undefined) return rowHeaders(operation, params, format);
  return { 'Content-Type': operation.mediaType ?? JSON_TYPE };
}

/** An owner's answer as it is kept. */
export function made(
  { body, etag, lastModified, link }: OwnerAnswer,
  ofBody: Readonly<Record<string, string>>,
): MadeAnswer {
  const headers = {
    ...ofBody,
    ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
    ...(link !== undefined && { Link: link }),
  };
  return { body: alone(body), tag: strongTag(etag) ?? entityTag(body), headers };
}
