import { Secret } from '@lobbystats/service-kit';
import { keyedNameHash } from '../src/users/keyed-hashes.node.ts';

describe('keyed hash of a name', () => {
  const hash = keyedNameHash(new Secret('a-key-of-tests-alone'));

  it('is stable, since stores contain it', () => {
    expect(hash.user('emberfox')).toBe('a29f11693f4689deb6a45d75cd6cf73d3f842382c57bb6405e7c42c3b74086dd');
    expect(hash.gamertag('ember fox')).toBe('905084ec7e140d287767f89f4dd73a18646dc07a0bec40b815c32812f51ad150');
  });

  it('differs between username and gamertag and between keys', () => {
    const other = keyedNameHash(new Secret('another-key-of-tests'));
    expect(new Set([hash.user('marlow'), hash.gamertag('marlow'), other.user('marlow')]).size).toBe(3);
  });
});
