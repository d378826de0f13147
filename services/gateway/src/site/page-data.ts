import type { EpochSeconds, Operation, OperationResponse } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import { displayName } from '../titles/game-names.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { parseResponse, type Composition, type UpstreamFetcher, type Values } from '../upstreams/upstreams.ts';
import type { PageUrls } from './links.ts';
import type { PageData } from './page.ts';

export interface PageDataOptions {
  /** The tags that the page declares. */
  readonly tags: readonly string[];
  readonly upstreams: UpstreamFetcher;
  /** By operation ID. */
  readonly compositions: ReadonlyMap<string, Composition>;
  readonly directory: TitleDirectory;
  readonly urls: PageUrls;
  readonly now: EpochSeconds;
}

export interface TrackedPageData extends PageData {
  readonly isPartial: () => boolean;
  /** @throws Error if the page has asked for data whose tags it does not declare: it would stay stale */
  readonly assertDeclared: () => void;
}

/** Answers the questions of one page, and notes whether a part of it was unavailable. */
export function createPageData({
  tags,
  upstreams,
  compositions,
  directory,
  urls,
  now,
}: PageDataOptions): TrackedPageData {
  let isPartial = false;
  const undeclared = new Set<string>();
  const findTitle = (titleId: string) => (directory.isLoaded() ? directory.find(titleId) : undefined);
  const asked = new Map<string, Promise<unknown>>();
  const ask: PageData['ask'] = async <Op extends Operation>(
    operation: Op,
    params: Values = {},
    query: Values = {},
    body?: unknown,
  ) => {
    for (const tag of operation.tags(params)) if (!tags.includes(tag)) undeclared.add(`${operation.id}: ${tag}`);
    // Parts of a page may have the same question.
    const key = JSON.stringify([operation.id, params, query, body]);
    const answer = asked.get(key) ?? compute(operation, params, query, body);
    asked.set(key, answer);
    return (await answer) as OperationResponse<Op>;
  };
  const compute = async (operation: Operation, params: Values, query: Values, body: unknown) => {
    const compose = compositions.get(operation.id);
    const response =
      compose === undefined
        ? await upstreams.fetch(operation, params, query, { body })
        : await compose({ params, query }, upstreams);
    return parseResponse(operation, response, (answer) => answer);
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
  const titles: PageData['titles'] = {
    find: findTitle,
    nameOf: (titleId) => displayName(findTitle, titleId),
    resolve: (game) => directory.resolveLink(game),
  };
  const assertDeclared = () => {
    if (undeclared.size > 0) throw new Error(`the page does not declare the tags of ${[...undeclared].join(', ')}`);
  };
  return { ask, askPart, find, titles, urls, now, isPartial: () => isPartial, assertDeclared };
}
