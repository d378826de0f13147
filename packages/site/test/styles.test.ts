import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { guide } from '../src/pages/guide/guide.ts';
import { login } from '../src/pages/login/login.ts';
import { pages } from '../src/pages.ts';

const site = join(import.meta.dirname, '../src');

interface Rule {
  readonly selectors: readonly string[];
  readonly body: string;
}

/** Style rules of a sheet, those in conditional rules included; nested rules stay in their body. */
function rulesOf(css: string): Rule[] {
  const text = css.replace(/\/\*.*?\*\//gs, '');
  const rules: Rule[] = [];
  let [start, depth, open] = [0, 0, 0];
  for (const [index, char] of Array.from(text).entries()) {
    if (char === '{' && depth++ === 0) open = index;
    if (char === ';' && depth === 0) start = index + 1;
    if (char !== '}' || --depth > 0) continue;
    const [prelude, body] = [text.slice(start, open).trim(), text.slice(open + 1, index)];
    if (/^@(media|layer|supports|container)/.test(prelude)) rules.push(...rulesOf(body));
    else if (!prelude.startsWith('@')) rules.push({ selectors: splitSelectors(prelude), body });
    start = index + 1;
  }
  return rules;
}

/** Commas in `:is(…)` do not separate selectors. */
function splitSelectors(list: string): string[] {
  const selectors: string[] = [];
  let [selector, depth] = ['', 0];
  for (const char of `${list},`) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth === 0) {
      selectors.push(selector.trim());
      selector = '';
    } else {
      selector += char;
    }
  }
  return selectors;
}

/** Classes with which selectors of rules begin: the sheet defines what they look like, and what is in them. */
function definedClasses(rules: readonly Rule[]): Set<string> {
  const found = rules.flatMap(({ selectors }) => selectors.map((selector) => /^\.[\w-]+/.exec(selector)?.[0]));
  return new Set(found.filter((name) => name !== undefined));
}

const read = (path: string) => readFileSync(join(site, path), 'utf8');
const imports = Array.from(
  read('style/site.css').matchAll(/@import '(\.[^']+)' layer\((\w+)\);/g),
  ([, path = '', layer]) => ({
    path: join('style', path),
    layer,
  }),
);
const shared = imports.filter(({ layer }) => layer === 'shared');
const pageSheets = globSync('pages/*/*.css', { cwd: site });

/** Rules of the style sheet of a page, within its scope. */
function pageRules(path: string): Rule[] {
  const name = basename(path, '.css');
  const rules = rulesOf(read(path));
  expect([path, rules.map(({ selectors }) => selectors)]).toEqual([path, [[`main[data-style='${name}']`]]]);
  return rulesOf(rules[0]?.body ?? '');
}

describe('style sheets', () => {
  it('of pages are all in the bundle, in the layer after that of the parts, and apply to their pages alone', () => {
    expect(imports.filter(({ layer }) => layer === 'page').map(({ path }) => path)).toEqual(pageSheets.toSorted());
    expect(read('style/site.css')).toContain('@layer shared, page;');
    for (const path of pageSheets) expect(pageRules(path)).not.toEqual([]);
  });

  it('belong to a page each, and each page has the one that it names', () => {
    const authPublicUrl = 'http://localhost';
    const installed = [guide({ authPublicUrl }), login({ authPublicUrl, isSimulated: true })];
    const styles = [...pages, ...installed].map(({ style }) => style);
    const named = new Set(styles.filter((style) => style !== undefined));
    expect([...named].sort()).toEqual(pageSheets.map((path) => basename(path, '.css')).sort());
  });

  it('define each class of shared parts once, and those of pages define none of them', () => {
    const owners = new Map<string, string[]>();
    for (const { path } of shared) {
      for (const name of definedClasses(rulesOf(read(path)))) owners.set(name, [...(owners.get(name) ?? []), path]);
    }
    expect([...owners].filter(([, paths]) => paths.length > 1)).toEqual([]);
    const redefined = pageSheets.map((path) => [
      path,
      [...definedClasses(pageRules(path))].filter((name) => owners.has(name)),
    ]);
    expect(redefined.filter(([, names]) => names?.length !== 0)).toEqual([]);
  });
});
