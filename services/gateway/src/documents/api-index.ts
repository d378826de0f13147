import type { Operation, OperationResponse, operations } from '@lobbystats/contracts';
import type { Composition } from '../upstreams/upstreams.ts';

export type ApiIndex = OperationResponse<typeof operations.getApiIndex>;

const METHODS = { get: 'GET', post: 'POST', patch: 'PATCH', delete: 'DELETE' } as const;

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

/** Paths of an OpenAPI document. */
type DescribedPaths = Readonly<Record<string, Readonly<Partial<Record<keyof typeof METHODS, DescribedOperation>>>>>;

/** The operations of the OpenAPI document, in its order. @param links paths of the documentation page and the document */
export function apiIndex(paths: DescribedPaths, links: Pick<ApiIndex, 'docs' | 'openapi'>): ApiIndex {
  const index = Object.entries(paths).flatMap(([path, item]) =>
    (Object.keys(METHODS) as (keyof typeof METHODS)[]).flatMap((method) => {
      const described = item[method];
      if (described === undefined) return [];
      const { operationId: id, summary, tags } = described;
      return [{ id, method: METHODS[method], path, summary, docs: `${links.docs}#/${tags[0] ?? ''}/${id}` }];
    }),
  );
  return { ...links, operations: index };
}

/** A response that needs no upstream. */
export function fixedResponse<Op extends Operation>(_operation: Op, response: OperationResponse<Op>): Composition {
  const body = Buffer.from(JSON.stringify(response));
  return async () => Promise.resolve({ body, lastModified: undefined, link: undefined });
}
