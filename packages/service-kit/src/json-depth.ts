/** To be checked before parsing JSON: deep nesting needs far more memory than its text. */
export function exceedsDepth(max: number, text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length && depth <= max; i += 1) {
    const character = text[i];
    if (isInString && character === '\\') i += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
  }
  return depth > max;
}
