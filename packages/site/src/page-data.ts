import type { EpochSeconds, Operation, OperationResponse } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import type { PageUrls, Values } from './links.ts';
import type { PageData } from './page.ts';

/** The port through which one rendering of a page reads the system. The gateway implements it. */
export interface PageSource {
  /** Answers an operation. @throws AppError `unavailable`, and what the operation responds with */
  readonly ask: <Op extends Operation>(
    operation: Op,
    params: Values,
    query: Values,
    body: unknown,
  ) => Promise<OperationResponse<Op>>;
  readonly titles: PageData['titles'];
  readonly now: EpochSeconds;
}

export interface TrackedPageData extends PageData {
  readonly isPartial: () => boolean;
  /** @throws Error if the page has asked for data whose tags it does not declare: it would stay stale */
  readonly assertDeclared: () => void;
}

/**
 * Answers the requests of one page, and notes whether a part of it was unavailable.
 *
 * @param tags those that the page declares
 */
export function createPageData(
  tags: readonly string[],
  { ask: askSource, titles, now }: PageSource,
  urls: PageUrls,
): TrackedPageData {
  let isPartial = false;
  const undeclared = new Set<string>();
  const asked = new Map<string, Promise<unknown>>();
  const ask: PageData['ask'] = async <Op extends Operation>(
    operation: Op,
    params: Values = {},
    query: Values = {},
    body?: unknown,
  ) => {
    for (const tag of operation.tags(params)) if (!tags.includes(tag)) undeclared.add(`${operation.id}: ${tag}`);
    // Parts of a page may send the same request.
    const key = JSON.stringify([operation.id, params, query, body]);
    const response = asked.get(key) ?? askSource(operation, params, query, body);
    asked.set(key, response);
    return (await response) as OperationResponse<Op>;
  };
  const askPart: PageData['askPart'] = async <Op extends Operation>(
    operation: Op,
    params?: Values,
    query?: Values,
    body?: unknown,
  ) => {
    try {
      return await ask(operation, params, query, body);
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      isPartial = true;
      return undefined;
    }
  };
  const find = async <Op extends Operation>(
    operation: Op,
    params?: Values,
    query?: Values,
  ): Promise<OperationResponse<Op> | undefined | null> => {
    try {
      return await askPart(operation, params, query);
    } catch (error) {
      if (hasCode(error, 'not-found')) return null;
      throw error;
    }
  };
  const assertDeclared = () => {
    if (undeclared.size > 0) throw new Error(`the page does not declare the tags of ${[...undeclared].join(', ')}`);
  };
  return { ask, askPart, find, titles, urls, now, isPartial: () => isPartial, assertDeclared };
}
