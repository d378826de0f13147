import { z } from 'zod';
import { allMessages } from '../messages/index.ts';
import { envelope, type MessageType } from '../messages/message-type.ts';

interface JsonSchema {
  type?: string | string[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
}

export function messagesPage(): string {
  return [
    '# Messages',
    '',
    'Printed from `packages/contracts` by `npm run docs:generate`; change the table there, never this page.',
    '',
    'There are three topic exchanges: `observations` (read from the network), `facts` (committed changes, also in the fact',
    'log) and `work` (jobs of a service for its own replicas). Each service has one queue of its name.',
    '',
    '| Key | Version | Exchange | Producer | Consumers | Cache tags of the example | Summary |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...allMessages.map(tableRow),
    '',
    '## The envelope',
    '',
    'Every message is a JSON object of these fields.',
    '',
    ...fieldTable(envelope),
    ...allMessages.flatMap((message) => [
      '',
      `## \`${message.key}\``,
      '',
      message.summary,
      '',
      ...fieldTable(message.data),
      '',
      ...example(message),
    ]),
    '',
  ].join('\n');
}

function tableRow({ key, version, exchange, producer, consumers, summary, tags, example: data }: MessageType): string {
  const readers = consumers.join(', ') || 'subscribers of the fact log';
  return `| \`${key}\` | ${version} | ${exchange} | ${producer} | ${readers} | ${tags(data).join(', ')} | ${summary} |`;
}

function example({ example: data }: MessageType): string[] {
  return ['```json', JSON.stringify(data, null, 2), '```'];
}

function fieldTable(schema: z.ZodType): string[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return ['| Field | Type | Notes |', '| --- | --- | --- |', ...fieldRows(json, '')];
}

function fieldRows(schema: JsonSchema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) === true ? '' : 'optional';
    const notes = [optional, field.description ?? ''].filter((note) => note !== '').join('; ');
    const path = `${prefix}${name}`;
    return [`| \`${path}\` | ${typeName(field)} | ${notes} |`, ...innerRows(field, path)];
  });
}

function innerRows(field: JsonSchema, path: string): string[] {
  const inner = [field, ...(field.anyOf ?? [])];
  return inner.flatMap((schema) => [
    ...fieldRows({ ...schema, ...(schema.items && { properties: {} }) }, `${path}.`),
    ...(schema.items ? fieldRows(schema.items, `${path}[].`) : []),
  ]);
}

function typeName(field: JsonSchema): string {
  if (field.anyOf) return [...new Set(field.anyOf.map(typeName))].join(' or ');
  if (field.items) return `array of ${typeName(field.items)}`;
  return [field.type ?? 'any'].flat().join(' or ');
}
