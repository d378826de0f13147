import { setting } from '@lobbystats/service-kit';

const LENGTH_MIN = 16;
const DIFFERENT_MIN = 8;

/** Refuses well-known secrets such as `changeme`. */
export function unguessable() {
  return setting
    .secret()
    .refine(
      (secret) => isUnguessable(secret.reveal()),
      `must be at least ${LENGTH_MIN} characters, ${DIFFERENT_MIN} of them different: npm run init makes one where there is none`,
    );
}

function isUnguessable(value: string): boolean {
  return value.length >= LENGTH_MIN && new Set(value).size >= DIFFERENT_MIN;
}
