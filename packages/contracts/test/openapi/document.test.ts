import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allOperations,
  nameOf,
  pathsOf,
  rowMediaTypes,
  rowShape,
  streamEvents,
  streamTopics,
} from '../../src/index.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument, readDocument, readExamples, type OpenApiDocument } from '../../src/openapi/index.ts';
import { z } from 'zod';
import { printedDocument } from '../../src/openapi/open-api-document.ts';

const committed = readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8');
const examples = readExamples();
const document = JSON.parse(printedDocument()) as OpenApiDocument;
const publicOperations = allOperations.filter(({ audience }) => audience === 'public');

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...document, $id: 'document' });

/** Validates a value by the schema at a path of the document. @returns '' or the errors */
function faultsBy(schemaPath: readonly string[], value: unknown): string {
  const pointer = schemaPath.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  const validate = ajv.compile({ $ref: `document#${pointer.join('')}` });
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

const isObject = (schema: unknown): schema is z.ZodObject => schema instanceof z.ZodObject;

/** A response's row, if it has rows. */
function rowOf(response: z.core.$ZodType, rows: string | undefined): unknown {
  if (rows === undefined) return undefined;
  const list: unknown = rows === '' ? response : isObject(response) && response.shape[rows];
  return list instanceof z.ZodArray ? list.element : undefined;
}

/** A schema and all that it is made of. */
function* partsOf(schema: z.core.$ZodType): Generator<z.core.$ZodType> {
  yield schema;
  if (isObject(schema)) for (const field of Object.values(schema.shape)) yield* partsOf(field);
  else if (schema instanceof z.ZodArray) yield* partsOf(schema.element);
  else if (schema instanceof z.ZodRecord) yield* partsOf(schema.valueType);
  else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) yield* partsOf(schema.unwrap());
}

const template = (path: string) => path.replace(/:(\w+)/g, '{$1}');

describe('docs/openapi.json', () => {
  it('matches the contracts (npm run docs:generate)', () => {
    expect(JSON.parse(committed)).toEqual(document);
  });
});

describe('the OpenAPI document', () => {
  it('contains every public operation at each of its paths, and no internal one', () => {
    const expected = publicOperations.flatMap((operation) =>
      pathsOf(operation).flatMap((publicPath) =>
        [operation.method, operation.alias].flatMap((one) =>
          one ? [`${one.toLowerCase()} ${template(publicPath)}`] : [],
        ),
      ),
    );
    const written = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(written.toSorted()).toEqual([...expected, `get ${streamEvents.path}`, 'get /api/openapi.json'].toSorted());
  });

  it('uses the public URL as server URL', () => {
    const site = { publicUrl: 'https://stats.example/', version: '1.0.0' };
    const served = readDocument(site);
    expect(served.servers.map(({ url }) => url)).toEqual(['https://stats.example']);
    expect(served).toEqual(JSON.parse(JSON.stringify(openApiDocument({ ...site, examples }))));
  });

  it('has a description for every parameter', () => {
    const parameters = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => operation.parameters ?? []),
    );
    expect(parameters.filter(({ description }) => description === '')).toEqual([]);
  });

  it('names each response and each row that is an object, and no two schemas alike', () => {
    const unnamed = publicOperations.filter(({ response, rows }) =>
      [response, rowOf(response, rows)].some((one) => isObject(one) && nameOf(one) === undefined),
    );
    expect(unnamed.map(({ id }) => id)).toEqual([]);
    const schemas = new Set(publicOperations.flatMap(({ response }) => [...partsOf(response)]));
    const names = [...schemas].map(nameOf).filter((name) => name !== undefined);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    // The committed document lists them all: its diff shows a name that `extend` or `optional` has lost.
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
  });

  it('has constraints that reject what the API rejects', () => {
    const schemaOf = (path: string, name: string) => {
      const index = document.paths[path]!.get!.parameters!.findIndex((parameter) => parameter.name === name);
      return ['paths', path, 'get', 'parameters', String(index), 'schema'];
    };
    const bodyOf = (path: string, method: string) => [
      'paths',
      path,
      method,
      'requestBody',
      'content',
      'application/json',
      'schema',
    ];
    const rejected: [string[], unknown][] = [
      [schemaOf('/api/changes', 'cursor'), ''],
      [schemaOf('/api/changes', 'player'), 'x'.repeat(201)],
      [schemaOf('/api/search/time', 'cursor'), ''],
      [schemaOf('/api/games/compare', 'titleIds'), ''],
      [schemaOf('/api/games/compare', 'titleIds'), '4d530064,'],
      [bodyOf('/api/search/query', 'post'), { players: [{ playerName: 'Ada', rank: '0' }] }],
      [bodyOf('/api/me/profile', 'patch'), { avatar_url: 'http://example.com/a.png' }],
      [bodyOf('/api/me/profile', 'patch'), { social_links: [{ platform: 'github', url: 'github.com/ada' }] }],
      [bodyOf('/api/me/profile', 'patch'), { discord_profile_url: 'https://discord.com/users/1' }],
    ];
    for (const [schema, value] of rejected) expect([value, faultsBy(schema, value)]).not.toEqual([value, '']);
    expect(faultsBy(bodyOf('/api/search/query', 'post'), { players: [{ playerName: 'Ada', rank: '17' }] })).toBe('');
  });

  it('documents a 4xx of every operation', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const operation of Object.values(item)) {
        expect([path, Object.keys(operation.responses).some((status) => status.startsWith('4'))]).toEqual([path, true]);
      }
    }
  });

  it('is public unless an operation needs a session', () => {
    expect(document.security).toEqual([{}]);
    const withSecurity = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, security }) => (security === undefined ? [] : [operationId])),
    );
    const sessionOperations = publicOperations.filter(({ session }) => session !== 'none');
    for (const { id } of sessionOperations) expect(withSecurity).toContain(id);
  });

  it('has an example for every public operation', () => {
    expect([...examples.keys()].toSorted()).toEqual(publicOperations.map(({ id }) => id).toSorted());
  });

  it('has a schema for each stream topic that accepts its example and rejects an empty object', () => {
    const schemaPath = [
      'paths',
      streamEvents.path,
      'get',
      'responses',
      '200',
      'content',
      'text/event-stream',
      'schema',
    ];
    for (const [topic, { example }] of Object.entries(streamTopics)) {
      expect([topic, faultsBy([...schemaPath, 'x-event-data', topic], example)]).toEqual([topic, '']);
      expect([topic, faultsBy([...schemaPath, 'x-event-data', topic], {})]).not.toEqual([topic, '']);
    }
  });
});

describe.each(publicOperations)('the example of $id', (operation) => {
  const example = examples.get(operation.id)!;

  it('has a request and a response that match the contract', () => {
    expect(operation.response.safeParse(example.answer).error).toBeUndefined();
    expect(operation.query.safeParse(example.query).error).toBeUndefined();
    expect(operation.body?.safeParse(example.body).error).toBeUndefined();
  });

  it('matches the schema of the document at each path', () => {
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'delete';
    const mediaType = operation.mediaType?.split(';')[0] ?? 'application/json';
    for (const path of pathsOf(operation)) {
      const operationPath = ['paths', template(path), method];
      const answer = [...operationPath, 'responses', '200', 'content', mediaType, 'schema'];
      expect(faultsBy(answer, example.answer)).toBe('');
      const { parameters = [] } = document.paths[template(path)]![method]!;
      for (const [index, { example: parameterExample }] of parameters.entries()) {
        const faults =
          parameterExample === undefined
            ? ''
            : faultsBy([...operationPath, 'parameters', String(index), 'schema'], parameterExample);
        expect(faults).toBe('');
      }
    }
  });

  it('has its rows in every row format', () => {
    expect(Object.keys(example.rows ?? {})).toEqual(operation.rows === undefined ? [] : Object.keys(rowMediaTypes));
    const columns = rowShape(operation, example.query)?.columns.join(',');
    expect(example.rows?.csv.split('\r\n', 1)[0]).toBe(columns);
  });
});
