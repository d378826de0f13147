import { z } from 'zod';
import { namedObject, none, publicGet } from './fields.ts';
import { operation } from './operation.ts';

/** Increases only when an operation or field is removed or changes its meaning. */
export const API_VERSION = 1;

/** The one statement on limits, for all documents. */
export const RATE_LIMITS =
  'There are no rate limits. A deployment may bound the concurrent requests of one client address: further ones are 429 with Retry-After.';

/** Not an operation: it describes them. */
export const OPENAPI_PATH = '/api/openapi.json';

const about = { ...publicGet, upstream: 'gateway', params: none, query: none, tags: [] } as const;

export const getApiIndex = operation({
  ...about,
  id: 'getApiIndex',
  summary: 'Every operation of the API, with a link to its documentation',
  path: '/api',
  group: 'About',
  response: z.strictObject({
    docs: z.string().meta({ description: 'Path of the documentation', example: '/docs' }),
    openapi: z.string().meta({ description: 'Path of the OpenAPI document', example: '/api/openapi.json' }),
    operations: z.array(
      namedObject('ApiOperation', {
        id: z.string().meta({ description: 'The operationId in the OpenAPI document' }),
        method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
        path: z.string().meta({ description: 'Parameters are in braces', example: '/api/events/{eventId}' }),
        summary: z.string(),
        docs: z.string().meta({ description: 'Link to its documentation' }),
      }),
    ),
  }),
});

export const getApiVersion = operation({
  ...about,
  id: 'getApiVersion',
  summary: 'Version of the release and of the API',
  varies: true,
  path: '/api/version',
  group: 'About',
  response: z.strictObject({
    version: z.string().meta({ description: 'Version of the release', example: '0.1.0' }),
    apiVersion: z.int().positive().meta({
      description: 'Increases only when an operation or field is removed or changes its meaning',
    }),
    form: z
      .enum(['standalone', 'distributed'])
      .meta({ description: '`standalone`: one process; `distributed`: a process per service' }),
  }),
});
