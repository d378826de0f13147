import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Things in backticks that look like paths in the repository. */
function pathsIn(markdown: string): string[] {
  const quoted = [...markdown.matchAll(/`([^`\s]+)`/g)].map((match) => String(match[1]));
  return quoted.filter((text) => /^(packages|services|docs|test|bench|infra)\//.test(text) && !/[*<>…{}]/.test(text));
}

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((f) => f.endsWith('.md'))
    .map((f) => `docs/${f}`),
];

describe.each(documents)('%s', (document) => {
  it('names only files and folders that exist', () => {
    const missing = pathsIn(read(document)).filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(document).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => String(match[1]));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => String(match[1]));
    const missing = links.filter((link) => !existsSync(join(root, document, '..', link)));
    expect(missing).toEqual([]);
  });
});

describe('the walk through a new route', () => {
  it.each(['operation', 'route', 'messageType', 'handleBatch', 'handle', 'setting'])(
    'names %s, which the packages export',
    (name) => {
      const walk = read('docs/extending.md');
      expect(walk).toContain(name);
      const sources = ['contracts', 'service-kit', 'message-bus'].flatMap((pkg) =>
        readdirSync(join(root, 'packages', pkg, 'src'), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts'))
          .map((file) => read(join('packages', pkg, 'src', file))),
      );
      const exported = new RegExp(`export (function|const) ${name}\\b`);
      expect(sources.some((source) => exported.test(source))).toBe(true);
    },
  );
});
