/**
 * A JSON object with its members in the given order; the last of equal names wins. Written as text, since a JavaScript
 * object would reorder names such as `1942` and mishandle `__proto__`.
 *
 * @param members names, and values as JSON text
 */
export function jsonObject(members: Iterable<readonly [name: string, json: string]>): string {
  const texts = Array.from(new Map(members), ([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${texts.join(',')}}`;
}

/**
 * Members of a plain object for {@link jsonObject}.
 *
 * @throws TypeError for an undefined value, which means that an upstream omitted it
 */
export function jsonMembers(values: Readonly<Record<string, unknown>>): (readonly [name: string, json: string])[] {
  return Object.entries(values).map(([name, value]) => jsonMember(name, value));
}

/** @throws TypeError for an undefined value */
export function jsonMember(name: string, value: unknown): readonly [name: string, json: string] {
  if (value === undefined) throw new TypeError(`${name} is missing`);
  return [name, JSON.stringify(value)];
}
