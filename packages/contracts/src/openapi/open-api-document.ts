import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations, operationGroups } from '../index.ts';
import { overview, selfDescription } from './descriptions.ts';
import type { OpenApiDocument, PathItem } from './document-types.ts';
import { type Examples, readExamples } from './examples.ts';
import { pathsOf } from './operation-object.ts';
import { headers, ERROR_SCHEMA, errorResponses } from './responses.ts';
import { namedSchemas } from './schemas.ts';
import { streamPath, streamSchemas } from './stream.ts';

export interface DocumentOptions {
  readonly publicUrl: string;
  readonly version: string;
  readonly examples: Examples;
}

export function openApiDocument({ examples, ...site }: DocumentOptions): OpenApiDocument {
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
    ...ofSite(site),
    // Public, unless an operation names a session.
    security: [{}],
    tags: Object.entries(operationGroups)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: {
        Error: ERROR_SCHEMA,
        ...namedSchemas(),
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

function ofSite({ publicUrl, version }: Omit<DocumentOptions, 'examples'>): Pick<OpenApiDocument, 'info' | 'servers'> {
  const url = publicUrl.replace(/\/+$/, '');
  return {
    info: {
      title: 'Lobbystats',
      version,
      summary: 'Community statistics of an online console gaming network',
      description: overview,
      contact: { name: 'This site', url },
    },
    servers: [{ url, description: 'This site' }],
  };
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const REPOSITORY = join(import.meta.dirname, '../../../..');
export const DOCUMENT_FILE = join(REPOSITORY, 'docs/openapi.json');

/** Reads the printed document for a site: deriving it from the contracts takes a hundred times as long. @throws if the file is missing */
export function readDocument({ publicUrl, version }: Omit<DocumentOptions, 'examples'>): OpenApiDocument {
  const printed = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as OpenApiDocument;
  return { ...printed, ...ofSite({ publicUrl, version }) };
}

export function printedDocument(): string {
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  const document = openApiDocument({ publicUrl: DEFAULT_URL, version, examples: readExamples() });
  return `${JSON.stringify(document, null, 2)}\n`;
}
