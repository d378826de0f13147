import type { CollectorStore } from '../src/collector-store.ts';

/** A store that counts the calls of its board methods, by `port.method`. */
export function countWrites(store: CollectorStore): { store: CollectorStore; writes: Record<string, number> } {
  const writes: Record<string, number> = {};
  const counted = <Port extends object>(port: Port, name: string): Port =>
    new Proxy(port, {
      get(from, method) {
        const value: unknown = Reflect.get(from, method, from);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]): unknown => {
          const key = `${name}.${String(method)}`;
          writes[key] = (writes[key] ?? 0) + 1;
          return Reflect.apply(value, from, values);
        };
      },
    });
  return { store: { ...store, boards: counted(store.boards, 'boards') }, writes };
}
