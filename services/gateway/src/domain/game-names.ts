import { compareCodePoints, type GameMetadata } from '@lobbystats/contracts';

export type FindTitle = (titleId: string) => GameMetadata | undefined;

export function shownName(find: FindTitle, titleId: string, otherwise = ''): string {
  const name = find(titleId)?.name ?? '';
  if (name !== '') return name;
  return otherwise === '' ? titleId : otherwise;
}

export interface Named<Value> {
  readonly titleId: string;
  readonly name: string;
  readonly value: Value;
}

/**
 * Titles by routable name: the lowest ID has the plain name, others are `Name (titleId)`. Ordered by name.
 *
 * @returns ordered by name
 */
export function underOwnNames<Value>(named: readonly Named<Value>[]): (readonly [name: string, value: Value])[] {
  const taken = new Set<string>();
  const members = named
    .toSorted((a, b) => compareCodePoints(a.titleId, b.titleId))
    .map(({ titleId, name, value }) => {
      const own = taken.has(name) ? `${name} (${titleId})` : name;
      taken.add(own);
      return [own, value] as const;
    });
  return members.sort(([a], [b]) => compareCodePoints(a, b));
}
