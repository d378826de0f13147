import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe.each(globSync(['README.md', '.github/*.md', 'docs/*.md'], { cwd: root }))('%s', (document) => {
  const text = read(document);
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => String(match[1]));

  it('names only files and folders that exist', () => {
    const paths = found(/`((?:packages|services|docs|infra)\/[^`\s*<>…{}]+)`/g);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    expect(found(/npm run (?:-s )?([\w-]+(?::[\w-]+)*)/g).filter((name) => !(name in scripts))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = found(/\]\((?!https?:)([^)#]+)/g);
    expect(links.filter((link) => !existsSync(join(root, document, '..', link)))).toEqual([]);
  });
});
