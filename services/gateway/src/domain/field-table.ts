/**
 * Finds what a header field means by its name, in any case. The length tells almost all names apart: of most fields not even the
 * name is read.
 */
export class FieldTable<Meaning> {
  readonly #ofLength: (Map<string, Meaning> | undefined)[] = [];

  /** @param meanings by names in lower case */
  constructor(meanings: Readonly<Record<string, Meaning>>) {
    for (const [name, meaning] of Object.entries(meanings)) {
      const ofLength = (this.#ofLength[name.length] ??= new Map<string, Meaning>());
      ofLength.set(name, meaning);
      // As most programs write it.
      ofLength.set(
        name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()),
        meaning,
      );
    }
  }

  /** Whether any name is so long. */
  hasLength(length: number): boolean {
    return this.#ofLength[length] !== undefined;
  }

  get(name: string): Meaning | undefined {
    const ofLength = this.#ofLength[name.length];
    return ofLength === undefined ? undefined : (ofLength.get(name) ?? ofLength.get(name.toLowerCase()));
  }
}
