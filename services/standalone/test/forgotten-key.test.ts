import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { forgottenKey } from '../src/forgotten-key.ts';

describe('the key of those who were forgotten', () => {
  it('is made once, in a file that the owner alone can read', () => {
    const directory = join(temporaryDirectory('file'), 'data');
    const { FORGOTTEN_KEY_FILE: file } = forgottenKey({}, directory);
    const key = readFileSync(String(file), 'utf8');
    expect(key).toMatch(/^[\w-]{40,}$/);
    expect(statSync(String(file)).mode & 0o777).toBe(0o600);
    expect(forgottenKey({ FORGOTTEN_KEY: '' }, directory)).toEqual({ FORGOTTEN_KEY_FILE: file });
    expect(readFileSync(String(file), 'utf8')).toBe(key);
  });

  it.each([{ FORGOTTEN_KEY: 'a key of somebody’s own' }, { FORGOTTEN_KEY_FILE: '/run/secrets/key' }])(
    'is what %j says',
    (env) => {
      expect(forgottenKey(env, '/nowhere')).toEqual({});
    },
  );
});
