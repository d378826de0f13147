/** Background of a drawn picture. White text on it has a contrast of more than 4.5 in every hue. @param hue in degrees */
export function drawnColor(hue: number): string {
  return `hsl(${hue},45%,30%)`;
}

/** The same hue for the same name. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (31 * hash + (character.codePointAt(0) ?? 0)) % 360_360;
  return hash % 360;
}
