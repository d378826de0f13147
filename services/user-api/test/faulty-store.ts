import type { UserStore } from '../src/users/user-store.ts';

/** Returns the store with commits that fail after the given number, like a kill just before or after a commit. */
export function failAt(users: UserStore, cut: number, moment: 'before' | 'after'): [UserStore, () => number] {
  let commits = 0;
  const commit: UserStore['commit'] = async (change) => {
    commits += 1;
    const isCut = commits > cut;
    if (isCut && moment === 'before') throw new Error('killed');
    const committed = await users.commit(change);
    if (isCut) throw new Error('killed');
    return committed;
  };
  return [overrideStore(users, { commit }), () => commits];
}

/** Returns the store with some methods replaced. */
export function overrideStore(users: UserStore, overrides: Partial<UserStore>): UserStore {
  return new Proxy(users, {
    get: (target, name): unknown => {
      if (Object.hasOwn(overrides, name)) return Reflect.get(overrides, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
