import { setting } from '@lobbystats/service-kit';

const MIN_LENGTH = 16;
const MIN_DISTINCT_CHARACTERS = 8;

/** Refuses well-known secrets such as `changeme`. */
export function strongSecret() {
  return setting
    .secret()
    .refine(
      (secret) => isStrong(secret.reveal()),
      `must be at least ${MIN_LENGTH} characters, ${MIN_DISTINCT_CHARACTERS} of them different: npm run init creates a missing one`,
    );
}

function isStrong(value: string): boolean {
  return value.length >= MIN_LENGTH && new Set(value).size >= MIN_DISTINCT_CHARACTERS;
}
