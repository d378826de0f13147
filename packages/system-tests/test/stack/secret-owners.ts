import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '../../../../infra/docker/secrets.sh');

/** The secrets that the stack writes for each container alone. */
export function secretsOfContainers(): Map<string, string[]> {
  const lines = readFileSync(SCRIPT, 'utf8').matchAll(/^ {2}\[([a-z-]+)\]='([A-Z_ ]+)'$/gm);
  return new Map([...lines].map(([, container = '', names = '']) => [container, names.split(' ')]));
}
