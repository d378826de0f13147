/** Maps header names, in any case, to a meaning. The length rules out almost all names without reading them. */
export class FieldTable<Meaning> {
  readonly #ofLength: (Map<string, Meaning> | undefined)[] = [];

  constructor(meanings: Readonly<Record<string, Meaning>>) {
    for (const [name, meaning] of Object.entries(meanings)) {
      const ofLength = (this.#ofLength[name.length] ??= new Map<string, Meaning>());
      ofLength.set(name, meaning);
      // The usual capitalisation.
      ofLength.set(
        name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()),
        meaning,
      );
    }
  }

  hasLength(length: number): boolean {
    return this.#ofLength[length] !== undefined;
  }

  get(name: string): Meaning | undefined {
    const ofLength = this.#ofLength[name.length];
    return ofLength === undefined ? undefined : (ofLength.get(name) ?? ofLength.get(name.toLowerCase()));
  }
}
