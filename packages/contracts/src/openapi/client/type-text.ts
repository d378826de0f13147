import { SCHEMAS, type JsonSchema } from '../schemas.ts';

/** @throws Error for an unsupported schema: a type that is too wide is worse than none */
export function typeText(schema: JsonSchema): string {
  const { $ref, anyOf, enum: values, const: constant, type } = schema;
  if (typeof $ref === 'string') return nameIn($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return union(anyOf.map((one: JsonSchema) => typeText(one)));
  if (Array.isArray(type)) return union(type.map((one: string) => typeText({ ...schema, type: one })));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly (${typeText(schema['items'] as JsonSchema)})[]`;
    case 'object':
      return objectText(schema);
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema)}`);
  }
}

export function fieldText(name: string, schema: JsonSchema, isOptional: boolean): string {
  return `${docText(schema)}readonly ${keyText(name)}${isOptional ? '?' : ''}: ${typeText(schema)}${isOptional ? ' | undefined' : ''};`;
}

export function docText({ description }: JsonSchema): string {
  return typeof description === 'string' && description !== '' ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';
}

function objectText({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') throw new Error('An object schema must have properties');
    return `Readonly<Record<string, ${typeText(additionalProperties as JsonSchema)}>>`;
  }
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) =>
    fieldText(name, field, !(required as string[]).includes(name)),
  );
  return fields.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${fields.join('\n')}\n}`;
}

function union(types: readonly string[]): string {
  const all = new Set(types);
  const isAnyText = all.has('string');
  return [...all].filter((type) => !(isAnyText && type.startsWith('"'))).join(' | ');
}

function nameIn(reference: string): string {
  return reference.slice(SCHEMAS.length);
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
