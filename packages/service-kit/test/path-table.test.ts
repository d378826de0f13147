import { PathTable } from '../src/http/path-table.ts';

const table = new PathTable<string>();
for (const path of ['/a', '/a/:x', '/a/:x/b', '/a/b/:y', '/c/:x/d/:y']) table.add(path, path);

describe('a path', () => {
  it.each([
    ['/a', '/a', {}],
    ['/a?x=1/2', '/a', {}],
    ['/a#b', '/a', {}],
    ['/a/1', '/a/:x', { x: '1' }],
    ['/a/%2Fb%20c', '/a/:x', { x: '/b c' }],
    ['/a/__proto__/b', '/a/:x/b', { x: '__proto__' }],
    ['/a/b/2', '/a/b/:y', { y: '2' }],
    ['/c/1/d/2', '/c/:x/d/:y', { x: '1', y: '2' }],
  ])('leads %s to %s', (url, value, params) => {
    expect(table.find(url)).toEqual({ value, params });
  });

  it.each(['', '/', 'a', '*', 'http://x/a', '/A', '/a/', '/a//b', '//a', '/a/%', '/a/%FF', '/a/1/c', '/c/1', '/b'])(
    'leads nowhere that is known here: %j',
    (url) => {
      expect(table.find(url)).toBeUndefined();
    },
  );
});
