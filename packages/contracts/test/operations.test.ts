import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations, operations } from '../src/index.ts';

const directory = join(import.meta.dirname, '../src/operations');

describe('operations', () => {
  it('are all operations that a module of the folder declares, each under its ID', async () => {
    const files = readdirSync(directory).filter((name) => name !== 'index.ts' && name !== 'modules.ts');
    const modules = await Promise.all(files.map((name) => import(join(directory, name)) as Promise<object>));
    const declared = modules.flatMap((exported) =>
      Object.entries<unknown>(exported as Record<string, unknown>).filter(([, one]) => isOperation(one)),
    );
    expect(Object.fromEntries(declared)).toEqual(operations);
    expect(Object.entries(operations).filter(([name, { id }]) => name !== id)).toEqual([]);
    expect(allOperations).toHaveLength(Object.keys(operations).length);
  });
});

function isOperation(exported: unknown): boolean {
  return typeof exported === 'object' && exported !== null && 'upstream' in exported && 'path' in exported;
}
