/** Choices of the reader, kept in this browser. They change nothing that the server sends. */
const CHOICES = { times: ['local', 'utc'], theme: ['system', 'light', 'dark'] } as const;

export type Preference = keyof typeof CHOICES;
export type Choice<Name extends Preference> = (typeof CHOICES)[Name][number];

const keyOf = (name: Preference) => `lobbystats-${name}`;

/** The choice that is stored under a key of the browser's storage. */
export function preferenceOfKey(key: string | null): Preference | undefined {
  return (Object.keys(CHOICES) as Preference[]).find((name) => keyOf(name) === key);
}

/** The first choice is the default. */
export function preferenceOf<Name extends Preference>(name: Name): Choice<Name> {
  const choices: readonly [Choice<Name>, ...Choice<Name>[]] = CHOICES[name];
  const stored = readStored(keyOf(name));
  return choices.find((choice) => choice === stored) ?? choices[0];
}

export function keepPreference<Name extends Preference>(name: Name, choice: Choice<Name>): void {
  try {
    localStorage.setItem(keyOf(name), choice);
  } catch {
    // Storage may be denied: the choice then lasts as long as the page.
  }
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
