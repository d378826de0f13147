import { z } from 'zod';
import { isTimestamp } from '../primitives/time.ts';
import type { Operation } from './operation.ts';

/**
 * Returns a function that rewrites the timestamps of a response as ISO 8601: `YYYY-MM-DDTHH:MM:SSZ`. It takes the
 * response as JSON text without white space.
 */
export function isoTimesOf({ response }: Pick<Operation, 'response'>): (json: string) => string {
  // Derived at the first use: clients request ISO times of few of the mounted operations.
  let rewrite: ((json: string) => string) | undefined;
  return (json) => (rewrite ??= rewriterOf(response))(json);
}

function rewriterOf(response: Operation['response']): (json: string) => string {
  const names = [...timestampNames(response)];
  if (names.length === 0) return (json) => json;
  // Matches members only: inside a JSON string, every quote follows a backslash. A list of timestamps contains no bracket.
  const members = new RegExp(`"(?:${names.join('|')})":(?:"[^"]*"|\\[[^\\]]*\\])`, 'g');
  return (json) => json.replace(members, (member) => member.replace(TIMESTAMPS, '"$1T$2Z"'));
}

const TIMESTAMPS = /"(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})"/g;

/** Names of the fields that are timestamps or lists of them. In no response has one of them a second meaning. */
function timestampNames(schema: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
      if (isTimestamp(unwrap(field))) names.add(name);
      else timestampNames(field, names);
    }
  } else if (schema instanceof z.ZodArray) timestampNames(schema.element, names);
  else if (schema instanceof z.ZodRecord) timestampNames(schema.valueType, names);
  else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) timestampNames(schema.unwrap(), names);
  return names;
}

/** The type of a nullable or optional value, or of a list's elements. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodArray) return unwrap(schema.element);
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
