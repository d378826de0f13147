import { rowMediaTypes, type Operation } from '@lobbystats/contracts';
import type { MediaType, Response } from './document-types.ts';
import type { OperationExample } from './examples.ts';
import { headersOf } from './headers.ts';
import { jsonSchemaOf } from './schemas/json-schema.ts';

export function successResponsesOf(
  operation: Operation,
  example: OperationExample | undefined,
): Record<string, Response> {
  const { method, session, response, mediaType = 'application/json', rows } = operation;
  const json: MediaType = {
    schema: jsonSchemaOf(response, 'output'),
    ...(example && { examples: { answer: { value: example.answer } } }),
  };
  const isCacheable = method === 'GET';
  const headers = headersOf(
    'Cache-Control',
    ...(isCacheable ? ['ETag', 'Last-Modified', 'Vary', 'Age', 'Cache-Status'] : []),
    ...('offset' in operation.query.shape ? ['Link'] : []),
    ...(rows === undefined ? [] : ['Content-Disposition']),
  );
  const ok: Response = {
    description: session === 'required' ? 'It is done' : 'The answer',
    headers,
    content: { [plain(mediaType)]: json, ...(rows === undefined ? {} : rowContent(example)) },
  };
  return isCacheable ? { '200': ok, '304': notModified } : { '200': ok };
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
