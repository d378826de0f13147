import type { Operation, OperationResponse } from '@lobbystats/contracts';
import { displayName } from '../titles/game-names.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { parseResponse, type Composition, type Upstreams, type Values } from '../upstreams/upstreams.ts';
import type { PageSource } from '@lobbystats/site';

export interface PageSourceOptions {
  readonly upstreams: Upstreams;
  /** By operation ID. */
  readonly compositions: ReadonlyMap<string, Composition>;
  readonly directory: TitleDirectory;
  /** Epoch seconds. */
  readonly now: () => number;
}

/** A page's access to the system: the requests of one page share a deadline that starts now. */
export function pageSource({ upstreams, compositions, directory, now }: PageSourceOptions): PageSource {
  const fetcher = upstreams.withSharedDeadline();
  const find = (titleId: string) => (directory.isLoaded() ? directory.find(titleId) : undefined);
  return {
    ask: async <Op extends Operation>(operation: Op, params: Values, query: Values, body: unknown) => {
      const compose = compositions.get(operation.id);
      const response =
        compose === undefined
          ? await fetcher.fetch(operation, params, query, { body })
          : await compose({ params, query }, fetcher);
      return parseResponse(operation, response, (body: OperationResponse<Op>) => body);
    },
    titles: {
      find,
      nameOf: (titleId) => displayName(find, titleId),
      resolve: (game) => directory.resolveLink(game),
    },
    now: now(),
  };
}
