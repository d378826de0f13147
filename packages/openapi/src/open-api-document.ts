import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations } from '@lobbystats/contracts';
import { groups, overview, selfDescription } from './descriptions.ts';
import type { OpenApiDocument, PathItem } from './document-types.ts';
import { type Examples, readExamples } from './examples.ts';
import { pathsOf } from './operation-object.ts';
import { headers, ERROR_SCHEMA, errorResponses } from './responses.ts';
import { jsonSchemaOf, schemaNames } from './schemas.ts';
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

const DEFAULT_URL = 'http://127.0.0.1:8080';

export function printedDocument(): string {
  const root = join(import.meta.dirname, '../../../package.json');
  const { version } = JSON.parse(readFileSync(root, 'utf8')) as { version: string };
  const document = openApiDocument({ publicUrl: DEFAULT_URL, version, examples: readExamples() });
  return `${JSON.stringify(document, null, 2)}\n`;
}
