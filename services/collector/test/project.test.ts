import fc from 'fast-check';
import { project } from '../src/sources/feeds/project.parse.ts';
import type { Template } from '../src/sources/descriptions/source-description.ts';

const source = { a: { 'b/c': [{ n: 1 }, { n: null }, {}] }, list: [1, 2], '~': 'tilde', empty: '' };

describe('project', () => {
  it.each<[Template, unknown]>([
    ['', source],
    ['/a/b~1c/0/n', 1],
    ['/a/b~1c/1/n', null],
    ['/~0', 'tilde'],
    ['/list/1', 2],
    ['/list/9', undefined],
    ['/list/length', 2],
    ['/none/of/this', undefined],
    ['/empty/x', undefined],
    [{ value: '/a' }, '/a'],
    [
      { x: '/empty', y: '/none', z: { value: null } },
      { x: '', z: null },
    ],
    [
      { each: '/a/b~1c', m: '/n', t: { u: { value: 1 } } },
      [{ m: 1, t: { u: 1 } }, { m: null, t: { u: 1 } }, { t: { u: 1 } }],
    ],
    [{ rows: { each: '/list', v: '' } }, { rows: [{ v: 1 }, { v: 2 }] }],
  ])('%j', (template, expected) => {
    expect(project(template, source)).toEqual(expected);
  });

  it.each<Template>([{ each: '/none' }, { each: '/a' }, { each: { value: 7 } }])('refuses %j', (template) => {
    expect(() => project(template, source)).toThrow(/it has no list/);
  });

  it('takes any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        project({ x: `/${name}/${name}`, '__proto__/x': '' }, value);
        expect(project(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, { [name]: value })).toEqual(value);
      }),
    );
  });
});
