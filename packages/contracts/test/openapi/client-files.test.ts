import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../src/index.ts';
import { z } from 'zod';
import { clientFiles } from '../../src/openapi/client/client-files.ts';
import { itemsField } from '../../src/openapi/client/items-field.ts';
import { typeText } from '../../src/openapi/client/type-text.ts';

const repository = join(import.meta.dirname, '../../../..');
const committed = join(repository, 'packages/client/src/generated');

/** Formats the files with prettier. */
function formatted(files: ReadonlyMap<string, string>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'client-files-'));
  try {
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    const program = join(repository, 'node_modules/prettier/bin/prettier.cjs');
    execFileSync(process.execPath, [program, '--config', join(repository, '.prettierrc.json'), '--write', folder]);
    return new Map([...files.keys()].map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('the generated client matches the contracts (npm run docs:generate)', () => {
  const files = formatted(clientFiles());
  expect(readdirSync(committed).toSorted()).toEqual([...files.keys()].toSorted());
  for (const [name, text] of files) expect([name, readFileSync(join(committed, name), 'utf8')]).toEqual([name, text]);
});

describe('typeText', () => {
  it.each([
    [{ type: 'integer', minimum: 1 }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ const: '' }, { type: 'null' }, { type: 'string', maxLength: 9 }] }, 'null | string'],
    [{ enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Game' } }, 'readonly (Game)[]'],
    [{ type: 'object', properties: {} }, 'Readonly<Record<string, never>>'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'Readonly<Record<string, boolean>>'],
    [
      { type: 'object', properties: { 'a-b': { type: 'string' }, c: { const: 24 } }, required: ['c'] },
      '{\nreadonly "a-b"?: string | undefined;\nreadonly c: 24;\n}',
    ],
  ])('converts the schema %j to %s', (schema, type) => {
    expect(typeText(schema)).toBe(type);
  });

  it.each([{}, { type: 'object' }, { type: 'date' }, { oneOf: [] }])(
    'throws for the unsupported schema %j',
    (schema) => {
      expect(() => typeText(schema)).toThrow(/There is no type|must have properties/);
    },
  );

  it('escapes the end of a comment in a description', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', description: 'ends */ here' } } };
    expect(typeText(schema)).toContain('/** ends * / here */');
  });
});

describe('itemsField', () => {
  const { listChanges, getLeaderboard, searchByPlayers, getNow } = operations;

  it.each([
    [listChanges, 'changes'],
    [getLeaderboard, 'entries'],
    [searchByPlayers, 'results'],
    [getNow, undefined],
  ])('is the list of objects in a response with pages: $id', (operation, field) => {
    expect(itemsField(operation)).toBe(field);
  });

  it('throws for a response with pages and two lists of objects', () => {
    const list = z.array(z.object({}));
    const response = z.object({ a: list, b: list });
    expect(() => itemsField({ ...listChanges, response })).toThrow('The pages of listChanges have no single list');
  });
});
