import type { Operation } from '../index.ts';
import { z } from 'zod';
import type { Parameter, OperationObject } from './document-types.ts';
import type { OperationExample } from './examples.ts';
import { jsonSchemaOf, type JsonSchema } from './schemas.ts';

export function parametersOf(operation: Operation, path: string, example: OperationExample | undefined): Parameter[] {
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) =>
    parameter('path', name, paramSchema(operation, name), example?.params[name]),
  );
  const inQuery = Object.entries<z.core.$ZodType>(operation.query.shape).map(([name, schema]) =>
    parameter('query', name, schema, example?.query[name]),
  );
  return [...inPath, ...inQuery];
}

export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** Replaces the title ID in a game path. */
const game = z.string().min(1).meta({
  description:
    'Name of the game, in any case, percent-encoded (`%2F` is part of a name); or a title ID, if no game has that name',
  example: 'Harbor Racing',
});
const titleIdOrGame = game.meta({
  description: 'Title ID; or the name of the game, percent-encoded, if no game has that title ID',
  example: '4d530002',
});

function paramSchema({ params, prefersTitleId }: Operation, name: string): z.core.$ZodType {
  const shape: Readonly<Record<string, z.core.$ZodType>> = params.shape;
  if (name === 'game') return prefersTitleId ? titleIdOrGame : game;
  return shape[name] ?? z.string();
}

function parameter(where: 'path' | 'query', name: string, schema: z.core.$ZodType, example: unknown): Parameter {
  const { description, examples, ...json } = jsonSchemaOf(schema, 'input');
  const usual = schema instanceof z.ZodDefault ? { default: textOf(schema.def.defaultValue) } : {};
  const isRequired = where === 'path' || !z.safeParse(schema, undefined).success;
  const exampleValue = example ?? (where === 'path' && Array.isArray(examples) ? (examples[0] as unknown) : undefined);
  return {
    name,
    in: where,
    description: typeof description === 'string' ? description : (descriptions[name] ?? ''),
    ...(isRequired && { required: true }),
    schema: { ...json, ...usual },
    ...(exampleValue !== undefined && { example: coerce(exampleValue, json) }),
  };
}

function coerce(text: unknown, { type }: JsonSchema): unknown {
  return type === 'integer' ? Number(text) : text;
}

function textOf(value: unknown): unknown {
  return Array.isArray(value) ? value.join(',') : value;
}

const descriptions: Readonly<Record<string, string>> = {
  around: 'The page centred on that one',
  days: 'How many days, counted back from now',
  eventId:
    'The event’s number, of `/api/events`. The example’s event has passed: a system that began later does not know it',
  feedbackLimit: 'How many ratings at most',
  feedbackOffset: 'How many ratings are passed over',
  from: 'Only what begins then or later; inclusive',
  hours: 'How many hours, counted back from now',
  leaderboardId: 'The board’s number, as the network gives it',
  limit: 'How many elements at most',
  offset: 'How many elements are passed over',
  period: '`today`: the last 24 hours; `7d`: the last 168',
  player: 'Exact name of a player',
  q: 'Only games whose name or title has this in it',
  resolution: 'Width of the buckets in minutes: each has its rounded mean, `min` and `max`; `raw`: every snapshot',
  since: 'Only what happened after that; exclusive',
  to: 'Only what begins before; exclusive',
  tolerance: 'How far a time may be off, in milliseconds',
  type: 'Only changes of this kind',
};

const sessionKey = {
  type: 'string',
  description: 'The session key, where it is not in the header `X-Session-Key`',
} as const;

export function requestBodyOf(
  { body, session }: Operation,
  example: OperationExample | undefined,
): Pick<OperationObject, 'requestBody'> {
  if (body === undefined) return {};
  const own = jsonSchemaOf(body, 'input');
  const schema: JsonSchema =
    session === 'required' ? { ...own, properties: { ...(own['properties'] as object), sessionKey } } : own;
  const examples = example?.body === undefined ? {} : { examples: { request: { value: example.body } } };
  return { requestBody: { required: true, content: { 'application/json': { schema, ...examples } } } };
}
