import type { Operation } from '@lobbystats/contracts';
import type { OperationObject } from './document-types.ts';
import type { OperationExample } from './examples.ts';
import { jsonSchemaOf, type JsonSchema } from './schemas/json-schema.ts';

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
