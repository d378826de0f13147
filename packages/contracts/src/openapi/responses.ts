import { operations, rowMediaTypes, type Operation } from '../index.ts';
import type { Header, Reference, MediaType, Response } from './document-types.ts';
import type { OperationExample } from './examples.ts';
import { jsonSchemaOf } from './schemas.ts';

export const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description:
      'The request’s id: the one that came with it where that is well-formed, else a new one. Every answer has it',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  ETag: {
    description: 'Strong validator of these bytes, another for each encoding; send it back as `If-None-Match`',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
  'Last-Modified': {
    description: 'The newest slot or change that is shown: how old the data is',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description:
      'How long the answer stays true: `max-age=0, must-revalidate` where it may change at any time; `private, no-store` where a session was given',
    required: true,
    schema: { type: 'string' },
  },
  Vary: { description: 'What else of the request the answer depends on', schema: { type: 'string' } },
  Age: { description: 'Seconds since the answer was made', schema: { type: 'integer', minimum: 0 } },
  'Cache-Status': { description: 'What the gateway’s cache did (RFC 9211)', schema: { type: 'string' } },
  Link: {
    description:
      '`<…>; rel="next"`: the next page, relative to the request; absent on the last. `<…>; rel="canonical"`: the path by username, of a profile that was found by its gamertag',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'Of CSV, NDJSON and the calendar of one event: a file name to save it under',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which to ask again', required: true, schema: { type: 'integer' } },
};

export function headersOf(...names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function successResponsesOf(
  operation: Operation,
  example: OperationExample | undefined,
): Record<string, Response> {
  const { method, session, response, mediaType = 'application/json', rows } = operation;
  const json: MediaType = {
    schema: jsonSchemaOf(response, 'output'),
    ...(example && { examples: { answer: { value: example.answer } } }),
  };
  const isCacheable = method === 'GET' && session !== 'required';
  const hasLink = operation.id === operations.getProfile.id || Object.keys(operation.query.shape).some(isOffset);
  const headers = headersOf(
    'Cache-Control',
    ...(isCacheable ? ['ETag', 'Last-Modified', 'Vary', 'Age', 'Cache-Status'] : []),
    ...(hasLink ? ['Link'] : []),
    ...(rows === undefined && operation.id !== operations.getEventCalendar.id ? [] : ['Content-Disposition']),
  );
  const ok: Response = {
    description: method !== 'GET' && session === 'required' ? 'It is done' : 'The answer',
    headers,
    content: { [plain(mediaType)]: json, ...(rows === undefined ? {} : rowContent(example)) },
  };
  return isCacheable ? { '200': ok, '304': notModified } : { '200': ok };
}

function isOffset(parameter: string): boolean {
  return parameter === 'offset' || parameter === 'feedbackOffset';
}

const notModified: Response = {
  description: 'What the caller has is still true (`If-None-Match`)',
  headers: headersOf('ETag', 'Last-Modified', 'Cache-Control', 'Vary', 'Age', 'Cache-Status'),
};

function rowContent(example: OperationExample | undefined): Record<string, MediaType> {
  const textOf = (format: keyof typeof rowMediaTypes): MediaType => ({
    schema: { type: 'string' },
    ...(example?.rows && { examples: { rows: { value: example.rows[format] } } }),
  });
  return { [plain(rowMediaTypes.csv)]: textOf('csv'), [plain(rowMediaTypes.ndjson)]: textOf('ndjson') };
}

function plain(mediaType: string): string {
  return mediaType.split(';', 1)[0] ?? mediaType;
}

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
    ...(hasText || body !== undefined || session === 'required' ? [['400', reference('BadRequest')] as const] : []),
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

export function reference(name: keyof typeof errorResponses): Reference {
  return { $ref: `#/components/responses/${name}` };
}
