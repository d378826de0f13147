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

export const refusalResponses: Readonly<Record<string, Response>> = {
  BadRequest: refusal('Malformed or out of bounds; the message names the parameter or field and its bounds', {
    error: 'limit must be an integer from 1 to 500',
  }),
  InvalidSession: refusal('The session key is not valid', { error: 'Invalid session' }),
  NotFound: refusal('There is nothing of that name', { error: 'Unknown game' }),
  TooLarge: refusal('The body is over 64 KiB', { error: 'The body must be at most 64 KiB' }),
  UriTooLong: refusal('The URL is too long', { error: 'The URL is too long' }),
  NotJson: refusal('The body is not said to be JSON, or is compressed', {
    error: 'Content-Type must be application/json',
  }),
  Unavailable: {
    ...refusal('A service behind the gateway is down and nothing kept can answer, or there is too much to do', {
      error: 'This is unavailable at the moment, try again soon',
    }),
    headers: headersOf('Retry-After', 'Cache-Control'),
  },
};

export function refusalsOf(operation: Operation, path: string): Record<string, Response | Reference> {
  const { session, body, query, refusals = {} } = operation;
  const hasText = path.includes(':') || Object.keys(query.shape).length > 0;
  const ofOwn = Object.entries(refusals).map(([status, description]) => [status, refusal(description)] as const);
  return Object.fromEntries<Response | Reference>([
    ...(hasText || body !== undefined ? [['400', reference('BadRequest')] as const] : []),
    ...(session === 'required' ? [['401', reference('InvalidSession')] as const] : []),
    ...(namesSomething(path) ? [['404', reference('NotFound')] as const] : []),
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

function refusal(description: string, example?: unknown): Response {
  const examples = example === undefined ? {} : { examples: { error: { value: example } } };
  return {
    description,
    headers: headersOf('Cache-Control'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...examples } },
  };
}

function namesSomething(path: string): boolean {
  return /:(?!player\b)/.test(path);
}

function reference(name: keyof typeof refusalResponses): Reference {
  return { $ref: `#/components/responses/${name}` };
}
