import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const SCHEMAS = '#/components/schemas/';

/** A reference to a named schema, or an `input` or `output` schema with references to named ones. */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, $defs: _named, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return tidied(json, io);
}

/** All named schemas, by name. */
export function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { unrepresentable: 'any', uri: (name) => SCHEMAS + name });
  return Object.fromEntries(
    Object.entries(schemas)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { $schema: _, $id: _id, ...json }]) => [name, tidied(json, 'output')]),
  );
}

function tidied(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', `"${SCHEMAS}`);
  return JSON.parse(text, (key, json: unknown) => {
    if (key !== 'properties' && isObject(json)) tidy(json, io);
    return json;
  }) as JsonSchema;
}

/** Removes noise and adapts to OpenAPI 3.1. Answers stay open for new fields, bodies are closed. */
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

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
