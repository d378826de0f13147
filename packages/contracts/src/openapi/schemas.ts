import { z } from 'zod';
import { schemaNames } from './schema-names.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const SCHEMAS = '#/components/schemas/';

/** A reference to a named schema, or the schema. */
export function referenceOrSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const name = schemaNames.get(schema);
  return name === undefined ? jsonSchemaOf(schema, io) : { $ref: SCHEMAS + name };
}

/** `input` or `output` schema with references to named ones. Answers stay open for new fields, bodies are closed. */
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

/** Removes noise and adapts to OpenAPI 3.1. */
function tidy(json: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  // A number in a URL is text.
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

/** Whether `type` alone can add null. */
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
