import { isObject } from '../sources/descriptions/built-in.ts';
import { MAX_SHOWN, shorten } from './proposal.ts';

const [MAX_DEPTH, MAX_ELEMENTS] = [4, 20];

/** The JSON Pointers of an answer with one value of each: what stands outside of lists, and what the elements of each list have. */
export function showMembers(answer: unknown): string[] {
  const lists: string[] = [];
  return [...valuesOf(answer, ''), ...lists].slice(0, MAX_SHOWN);

  function valuesOf(value: unknown, pointer: string): string[] {
    const found = new Map<string, unknown>();
    visit(value, pointer, 0);
    return [...found].map(([at, each]) => `  "${shorten(at)}" is ${shorten(JSON.stringify(each))}`);

    function visit(member: unknown, at: string, depth: number): void {
      if (Array.isArray(member)) {
        lists.push(`List "${shorten(at)}":`, ...valuesOfAll(member.slice(0, MAX_ELEMENTS)));
      } else if (isObject(member) && depth < MAX_DEPTH) {
        for (const [name, each] of Object.entries(member))
          visit(each, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      } else if ((found.get(at) ?? null) === null) found.set(at, member);
    }
  }

  /** Members that some elements lack are shown, too. */
  function valuesOfAll(elements: readonly unknown[]): string[] {
    const merged = elements.filter(isObject).reduce<object>((all, element) => ({ ...element, ...all }), {});
    return valuesOf(Object.keys(merged).length === 0 ? elements[0] : merged, '');
  }
}
