/** A title ID as the boards' tables have it: the number that its hexadecimal digits write. */
export function titleKey(titleId: string): number {
  return Number.parseInt(titleId, 16);
}

/** The title ID of a table's key: 8 hexadecimal digits in lower case. */
export function titleIdOf(key: number): string {
  return key.toString(16).padStart(8, '0');
}
