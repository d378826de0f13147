import type { Operation, OperationResponse, operations } from '@lobbystats/contracts';
import { OPENAPI_PATH, type OpenApiDocument } from '@lobbystats/openapi';
import type { Composition } from '../upstreams/upstreams.ts';

export type ApiIndex = OperationResponse<typeof operations.getApiIndex>;

const METHODS = { get: 'GET', post: 'POST', patch: 'PATCH' } as const;

/** The operations of the OpenAPI document, in its order. @param docs path of the documentation page */
export function apiIndex(document: OpenApiDocument, docs: string): ApiIndex {
  const index = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.keys(METHODS) as (keyof typeof METHODS)[]).flatMap((method) => {
      const { operationId: id, summary, tags: [group = ''] = [] } = item[method] ?? {};
      if (id === undefined || summary === undefined) return [];
      return [{ id, method: METHODS[method], path, summary, docs: `${docs}#/${group}/${id}` }];
    }),
  );
  return { docs, openapi: OPENAPI_PATH, operations: index };
}

/** A response that needs no upstream. */
export function fixedResponse<Op extends Operation>(_operation: Op, answer: OperationResponse<Op>): Composition {
  const body = Buffer.from(JSON.stringify(answer));
  return async () => Promise.resolve({ body, lastModified: undefined, link: undefined });
}
