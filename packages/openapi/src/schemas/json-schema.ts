import { z } from 'zod';
import { schemaNames } from './schema-names.ts';

/** JSON Schema 2020-12, as far as the contracts need it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where named schemas are in the document. */
export const SCHEMAS = '#/components/schemas/';

/**
 * The JSON Schema of what a schema accepts (`input`) or makes (`output`); named schemas within it are references.
 *
 * What an answer shows may gain fields, so that its objects are left open; what a body may bring stays closed.
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output', names = schemaNames): JsonSchema {
  const {
    $schema: _,
    '~standard': _standard,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const name = zodSchema === schema ? undefined : names.get(zodSchema);
      if (name === undefined) tidy(jsonSchema, io);
      else replace(jsonSchema, { $ref: SCHEMAS + name });
    },
  });
  return json;
}

/** Takes away what says nothing to people, and says the rest the way OpenAPI 3.1 does. */
function tidy(json: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  // A number in a URL is text to its schema.
  if (json.type === 'integer') delete json.pattern;
  if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties;
  if (isPlainString(json.propertyNames)) delete json.propertyNames;
  if (json['example'] !== undefined) {
    json.examples = [json['example']];
    delete json['example'];
  }
  const [value, empty, ...others] = json.anyOf ?? [];
  if (value !== undefined && empty?.type === 'null' && others.length === 0 && isPlain(value)) {
    const { anyOf: _, ...outer } = json;
    replace(json, { ...value, ...outer, type: [value.type, 'null'] });
  }
}

/** Whether a schema can say by its `type` alone that null will do as well. */
function isPlain({ type, enum: values, const: constant }: z.core.JSONSchema.BaseSchema): boolean {
  return typeof type === 'string' && values === undefined && constant === undefined;
}

function isPlainString(names: unknown): boolean {
  return JSON.stringify(names) === '{"type":"string"}';
}

function replace(json: Record<string, unknown>, by: Record<string, unknown>): void {
  for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
  Object.assign(json, by);
}
