/**
 * An object as JSON, its members in the order given; of two of one name the last is right.
 *
 * It is written as text because an object would put names such as `1942` first, and could not be trusted with `__proto__`.
 *
 * @param members names, and values that are JSON already
 */
export function jsonObject(members: Iterable<readonly [name: string, json: string]>): string {
  const texts = Array.from(new Map(members), ([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${texts.join(',')}}`;
}

/**
 * Members of a plain object as {@link jsonObject} takes them.
 *
 * @throws TypeError for one that is undefined: whoever should have said it hasn't
 */
export function jsonMembers(values: Readonly<Record<string, unknown>>): (readonly [name: string, json: string])[] {
  return Object.entries(values).map(([name, value]) => jsonMember(name, value));
}

/** @throws TypeError for an undefined value */
export function jsonMember(name: string, value: unknown): readonly [name: string, json: string] {
  if (value === undefined) throw new TypeError(`${name} is missing`);
  return [name, JSON.stringify(value)];
}
