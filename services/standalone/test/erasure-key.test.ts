import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { erasureKey } from '../src/data-directory.ts';

describe('erasure key', () => {
  it('is created once, in a file with mode 0600', () => {
    const directory = join(temporaryDirectory('file'), 'data');
    const { ERASURE_KEY_FILE: file } = erasureKey({}, directory);
    const key = readFileSync(String(file), 'utf8');
    expect(key).toMatch(/^[\w-]{40,}$/);
    expect(statSync(String(file)).mode & 0o777).toBe(0o600);
    expect(erasureKey({ ERASURE_KEY: '' }, directory)).toEqual({ ERASURE_KEY_FILE: file });
    expect(readFileSync(String(file), 'utf8')).toBe(key);
  });

  it.each([{ ERASURE_KEY: 'a key of somebody’s own' }, { ERASURE_KEY_FILE: '/run/secrets/key' }])(
    'is taken from the environment %j',
    (env) => {
      expect(erasureKey(env, '/nowhere')).toEqual({});
    },
  );
});
