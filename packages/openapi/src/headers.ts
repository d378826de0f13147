import type { Header, Reference } from './document-types.ts';

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
    description: 'How long the answer stays true; `private, no-store` where a session was given',
    required: true,
    schema: { type: 'string' },
  },
  Vary: { description: 'What else of the request the answer depends on', schema: { type: 'string' } },
  Age: { description: 'Seconds since the answer was made', schema: { type: 'integer', minimum: 0 } },
  'Cache-Status': { description: 'What the gateway’s cache did (RFC 9211)', schema: { type: 'string' } },
  Link: {
    description: '`<…>; rel="next"`: the next page, relative to the request; absent on the last',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'Of CSV and NDJSON: a file name to save it under',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which to ask again', required: true, schema: { type: 'integer' } },
};

export function headersOf(...names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
