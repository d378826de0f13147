import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExamples } from './examples.ts';
import { openApiDocument } from './open-api-document.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export function printedDocument(): string {
  const root = join(import.meta.dirname, '../../../package.json');
  const { version } = JSON.parse(readFileSync(root, 'utf8')) as { version: string };
  const document = openApiDocument({ publicUrl: DEFAULT_URL, version, examples: readExamples() });
  return `${JSON.stringify(document, null, 2)}\n`;
}
