import { allOperations, streamEvents, streamTopics, type Operation } from '@lobbystats/contracts';
import { groupOf, groups } from '../groups.ts';
import { jsonSchemaOf, type JsonSchema } from '../schemas/json-schema.ts';
import { schemaNames } from '../schemas/schema-names.ts';
import { streamSchemaName, streamSchemas } from '../stream.ts';
import { groupFile, GENERATED_HEADER, modelText } from './group-file.ts';

export function clientFiles(operations: readonly Operation[] = allOperations): Map<string, string> {
  const ofPublic = operations.filter(({ audience }) => audience === 'public');
  const models: [string, JsonSchema][] = [
    ...Array.from(schemaNames, ([schema, name]): [string, JsonSchema] => [name, jsonSchemaOf(schema, 'output')]),
    ...Object.entries(streamSchemas),
  ];
  const names = models.map(([name]) => name);
  const chapters = groups
    .map(({ name }) => ({ name, own: ofPublic.filter((operation) => groupOf(operation) === name) }))
    .filter(({ own }) => own.length > 0);
  return new Map([
    ['models.ts', [GENERATED_HEADER, '', ...models.map(([name, schema]) => `${modelText(name, schema)}\n`)].join('\n')],
    ...chapters.map(({ name, own }) => [`${name.toLowerCase()}.ts`, groupFile(name, own, names)] as const),
    ['stream.ts', streamFile()],
    ['operations.ts', operationsFile(chapters.map(({ name }) => name))],
  ]);
}

function operationsFile(chapters: readonly string[]): string {
  return [
    GENERATED_HEADER,
    ...chapters.map(
      (name) => `import { ${name.toLowerCase()}Routes, type ${name}Operations } from './${name.toLowerCase()}.ts';`,
    ),
    '',
    '/** Input and response of each operation. */',
    `export interface Operations extends ${chapters.map((name) => `${name}Operations`).join(', ')} {}`,
    '',
    '/** The route of each operation. */',
    `export const routes = { ${chapters.map((name) => `...${name.toLowerCase()}Routes`).join(', ')} } as const;`,
    '',
  ].join('\n');
}

function streamFile(): string {
  const topics = Object.keys(streamTopics) as (keyof typeof streamTopics)[];
  const names = topics.map((topic) => streamSchemaName(topic));
  return [
    GENERATED_HEADER,
    `import type { ${[...new Set(names)].toSorted().join(', ')} } from './models.ts';`,
    '',
    '/** Event data of the live stream, by topic. */',
    `export interface StreamData {\n${topics.map((topic, index) => `readonly ${topic}: ${names[index] ?? ''};`).join('\n')}\n}`,
    '',
    '/** Path of the live stream. */',
    `export const STREAM_PATH = ${JSON.stringify(streamEvents.path)};`,
    '',
  ].join('\n');
}
