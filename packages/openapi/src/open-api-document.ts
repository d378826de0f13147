import { allOperations } from '@lobbystats/contracts';
import type { OpenApiDocument, PathItem } from './document-types.ts';
import type { Examples } from './examples.ts';
import { groups } from './groups.ts';
import { headers } from './headers.ts';
import { pathsOf } from './operation-object.ts';
import { overview } from './overview.ts';
import { ERROR_SCHEMA, errorResponses } from './error-responses.ts';
import { jsonSchemaOf } from './schemas/json-schema.ts';
import { schemaNames } from './schemas/schema-names.ts';
import { selfDescription } from './self-description.ts';
import { streamPath, streamSchemas } from './stream.ts';

export interface DocumentOptions {
  readonly publicUrl: string;
  readonly version: string;
  readonly examples: Examples;
}

export function openApiDocument({ publicUrl, version, examples }: DocumentOptions): OpenApiDocument {
  const url = publicUrl.replace(/\/+$/, '');
  const paths: Record<string, PathItem> = {
    ...pathsOf(
      allOperations.filter(({ audience }) => audience === 'public'),
      examples,
    ),
    ...streamPath,
    ...selfDescription,
  };
  const used = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lobbystats',
      version,
      summary: 'Community statistics of an online console gaming network',
      description: overview,
      contact: { name: 'This site', url },
    },
    servers: [{ url, description: 'This site' }],
    tags: groups.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: {
        Error: ERROR_SCHEMA,
        ...Object.fromEntries(Array.from(schemaNames, ([schema, name]) => [name, jsonSchemaOf(schema, 'output')])),
        ...streamSchemas,
      },
      responses: errorResponses,
      headers,
      securitySchemes: {
        sessionKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Session-Key',
          description:
            'A session key of the auth service. Operations that write take it in the body’s `sessionKey` too.',
        },
        sessionKeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'sessionKey',
          description:
            'The same, where a header can not be set. A URL is seen by more than a header is: prefer the header.',
        },
      },
    },
  };
}
