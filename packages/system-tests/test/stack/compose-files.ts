import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Docker Compose's tags, which replace a value in place of merging it. */
const customTags = ['!reset', '!override'].flatMap((tag) => [
  { tag, collection: 'seq' as const },
  { tag, collection: 'map' as const },
]);

/** A compose file of the repository: its text, and its content with merged anchors. */
export function readComposeFile(name: 'docker-compose.yml' | 'docker-compose.cluster.yml'): {
  text: string;
  content: unknown;
} {
  const text = readFileSync(join(import.meta.dirname, '../../../..', name), 'utf8');
  return { text, content: parse(text, { merge: true, customTags }) };
}
