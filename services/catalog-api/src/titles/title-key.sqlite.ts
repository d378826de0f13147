export function titleKey(titleId: string): number {
  return Number.parseInt(titleId, 16);
}

export function titleIdOf(key: number): string {
  return key.toString(16).padStart(8, '0');
}
