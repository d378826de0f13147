import type { Operation } from '@lobbystats/contracts';
import { z } from 'zod';
import { jsonSchemaOf } from '../schemas/json-schema.ts';
import { docText, fieldText, typeText } from './type-text.ts';

export function groupFile(group: string, operations: readonly Operation[], names: readonly string[]): string {
  const types = operations.map(operationType);
  const routes = operations.map(routeText);
  const text = types.join('\n').replace(/\/\*\*.*?\*\//gs, '');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).toSorted();
  return [
    MADE,
    used.length === 0 ? '' : `import type { ${used.join(', ')} } from './models.ts';`,
    '',
    `/** Of each operation of the chapter "${group}" what it takes and gives. */`,
    `export interface ${group}Operations {\n${types.join('\n')}\n}`,
    '',
    '/** Where they are. */',
    `export const ${group.toLowerCase()}Routes = {\n${routes.join('\n')}\n} as const;`,
    '',
  ].join('\n');
}

/** Header of generated files. */
export const MADE = '// Made by `npm run docs:generate` from packages/contracts: change it there.';

function operationType(operation: Operation): string {
  const { id, summary, answer, mediaType } = operation;
  const body = mediaType === undefined ? typeText(jsonSchemaOf(answer, 'output')) : 'string';
  return `/** ${summary}. */\n${id}: {\ninput: ${inputText(operation)};\nanswer: ${body};\n};`;
}

function inputText({ params, query, body, gamePath }: Operation): string {
  const inPath = Object.entries<z.core.$ZodType>(params.shape).filter(
    ([name]) => gamePath === undefined || name !== 'titleId',
  );
  const fields = [
    ...inPath.map(([name, schema]) => parameterText(name, schema, false)),
    ...Object.entries<z.core.$ZodType>(query.shape).map(([name, schema]) =>
      parameterText(name, schema, z.safeParse(schema, undefined).success),
    ),
    ...(body === undefined ? [] : [`readonly body: ${typeText(jsonSchemaOf(body, 'input'))};`]),
  ];
  if (gamePath === undefined) return fields.length === 0 ? 'object' : `{\n${fields.join('\n')}\n}`;
  const game = '({ readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string })';
  return fields.length === 0 ? game : `${game} & {\n${fields.join('\n')}\n}`;
}

function parameterText(name: string, schema: z.core.$ZodType, isOptional: boolean): string {
  return fieldText(name, jsonSchemaOf(schema, 'input'), isOptional);
}

function routeText({ id, method, path, gamePath, query, session, body, mediaType }: Operation): string {
  const route = {
    method,
    path,
    ...(gamePath !== undefined && { gamePath }),
    ...(Object.keys(query.shape).length > 0 && { query: Object.keys(query.shape) }),
    ...(session !== 'none' && { takesSession: true }),
    ...(body !== undefined && { hasBody: true }),
    ...(mediaType !== undefined && { isText: true }),
  };
  return `${id}: ${JSON.stringify(route)},`;
}

/**
 */
export function modelText(name: string, schema: Parameters<typeof typeText>[0]): string {
  return `${docText(schema)}export interface ${name} ${typeText(schema)}`;
}
