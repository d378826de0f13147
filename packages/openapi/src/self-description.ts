import type { PathItem } from './document-types.ts';
import { headersOf } from './headers.ts';

export const OPENAPI_PATH = '/api/openapi.json';

export const selfDescription: Readonly<Record<string, PathItem>> = {
  [OPENAPI_PATH]: {
    get: {
      operationId: 'getOpenApiDocument',
      summary: 'This document',
      description:
        'The whole API as OpenAPI 3.1, made from the schemas by which requests are validated. `/docs` shows it to people.',
      tags: ['About'],
      responses: {
        '200': {
          description: 'The document',
          headers: headersOf('ETag', 'Cache-Control', 'Vary'),
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        '304': {
          description: 'What the caller has is still true (`If-None-Match`)',
          headers: headersOf('ETag', 'Cache-Control', 'Vary'),
        },
      },
    },
  },
};
