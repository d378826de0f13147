import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allMessages, webhookMessages } from '../../src/index.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { withTitleCounts } from '../../src/openapi/analyst-words.ts';
import { asyncApiDocument } from '../../src/openapi/async-api-document.ts';

const document = JSON.parse(JSON.stringify(asyncApiDocument())) as ReturnType<typeof asyncApiDocument>;

/** The value that a reference within the document leads to. */
function resolve(reference: string): unknown {
  const [, ...names] = reference.split('/');
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

describe('docs/asyncapi.json', () => {
  it('matches the message types (npm run docs:generate)', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../../../docs/asyncapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(document);
  });
});

describe('docs/analysts.md', () => {
  it('has the counts of a title in the words of the contract (npm run docs:generate)', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../../../docs/analysts.md'), 'utf8');
    const words = (text: string) => text.replaceAll(/ +/g, ' ');
    expect(words(withTitleCounts(committed))).toBe(words(committed));
  });
});

describe('the AsyncAPI document', () => {
  it('has no reference that leads nowhere', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(allMessages.length);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  it('names who sends and who receives each message', () => {
    const expected = allMessages.flatMap(({ key, producer, consumers }) => [
      `${producer}.send.${key}`,
      ...consumers.map((consumer) => `${consumer}.receive.${key}`),
    ]);
    expect(Object.keys(document.operations).toSorted()).toEqual([...expected, 'user-api.post.webhook'].toSorted());
  });

  it.each([...allMessages.map(({ key }) => key), ...Object.keys(webhookMessages).map((type) => `webhook.${type}`)])(
    'has an example of %s that fits its payload',
    (key) => {
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      addFormats.default(ajv);
      ajv.addSchema({ ...document, $id: 'document' });
      const validate = ajv.compile({ $ref: `document#/components/messages/${key}/payload` });
      const { examples } = document.components.messages[key]!;
      for (const { payload } of examples) {
        expect(validate(payload) ? '' : ajv.errorsText(validate.errors)).toBe('');
        expect(validate({ ...payload, [key.startsWith('webhook.') ? 'type' : 'version']: 0 })).toBe(false);
      }
    },
  );
});
