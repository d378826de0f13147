import { compareCodePoints, type GameMetadata } from '@lobbystats/contracts';

export type FindTitle = (titleId: string) => GameMetadata | undefined;

export function displayName(find: FindTitle, titleId: string, otherwise = ''): string {
  const name = find(titleId)?.name ?? '';
  if (name !== '') return name;
  return otherwise === '' ? titleId : otherwise;
}

export interface NamedValue<Value> {
  readonly titleId: string;
  readonly name: string;
  readonly value: Value;
}

/**
 * Values by unique name: of titles with equal names, the lowest ID has the plain name, others are `Name (titleId)`.
 *
 * @returns ordered by name
 */
export function withUniqueNames<Value>(named: readonly NamedValue<Value>[]): (readonly [name: string, value: Value])[] {
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
