import type { UserStore } from '../src/domain/user-store.ts';

/** The store, whose commit after so many never answers its caller: as a kill just before or after it. */
export function cutAt(users: UserStore, cut: number, moment: 'before' | 'after'): [UserStore, () => number] {
  let commits = 0;
  const commit: UserStore['commit'] = async (change) => {
    commits += 1;
    const isCut = commits > cut;
    if (isCut && moment === 'before') throw new Error('killed');
    const committed = await users.commit(change);
    if (isCut) throw new Error('killed');
    return committed;
  };
  return [overridden(users, { commit }), () => commits];
}

/** The store with some methods of the test's. */
export function overridden(users: UserStore, overrides: Partial<UserStore>): UserStore {
  return new Proxy(users, {
    get: (target, name): unknown => {
      if (Object.hasOwn(overrides, name)) return Reflect.get(overrides, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
