import type { Operation } from '@lobbystats/contracts';
import type { Reference, Response } from './document-types.ts';
import { headersOf } from './headers.ts';

export const ERROR_SCHEMA = {
  type: 'object',
  description: 'Every error, on every status, from every layer',
  properties: { error: { type: 'string', description: 'What is wrong, in a sentence for people' } },
  required: ['error'],
  additionalProperties: false,
} as const;

export const errorResponses: Readonly<Record<string, Response>> = {
  BadRequest: errorResponse('Malformed or out of bounds; the message names the parameter or field and its bounds', {
    error: 'limit must be an integer from 1 to 500',
  }),
  InvalidSession: errorResponse('The session key is not valid', { error: 'Invalid session' }),
  NotFound: errorResponse('There is nothing of that name', { error: 'Unknown game' }),
  TooLarge: errorResponse('The body is over 64 KiB', { error: 'The body must be at most 64 KiB' }),
  UriTooLong: errorResponse('The URL is too long', { error: 'The URL is too long' }),
  NotJson: errorResponse('The body is not said to be JSON, or is compressed', {
    error: 'Content-Type must be application/json',
  }),
  Unavailable: {
    ...errorResponse('A service behind the gateway is down and nothing kept can answer, or there is too much to do', {
      error: 'This is unavailable at the moment, try again soon',
    }),
    headers: headersOf('Retry-After', 'Cache-Control'),
  },
};

export function errorResponsesOf(operation: Operation, path: string): Record<string, Response | Reference> {
  const { session, body, query, errors = {} } = operation;
  const hasText = path.includes(':') || Object.keys(query.shape).length > 0;
  const ofOwn = Object.entries(errors).map(([status, description]) => [status, errorResponse(description)] as const);
  return Object.fromEntries<Response | Reference>([
    ...(hasText || body !== undefined ? [['400', reference('BadRequest')] as const] : []),
    ...(session === 'required' ? [['401', reference('InvalidSession')] as const] : []),
    ...(hasLookupParameter(path) ? [['404', reference('NotFound')] as const] : []),
    ...(body === undefined
      ? []
      : ([
          ['413', reference('TooLarge')],
          ['415', reference('NotJson')],
        ] as const)),
    ...(hasText ? [['414', reference('UriTooLong')] as const] : []),
    ['503', reference('Unavailable')] as const,
    ...ofOwn,
  ]);
}

function errorResponse(description: string, example?: unknown): Response {
  const examples = example === undefined ? {} : { examples: { error: { value: example } } };
  return {
    description,
    headers: headersOf('Cache-Control'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...examples } },
  };
}

function hasLookupParameter(path: string): boolean {
  return /:(?!player\b)/.test(path);
}

function reference(name: keyof typeof errorResponses): Reference {
  return { $ref: `#/components/responses/${name}` };
}
