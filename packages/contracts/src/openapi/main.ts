import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTitleCounts } from './analyst-words.ts';
import { asyncApiDocument } from './async-api-document.ts';
import { clientFiles } from './client/client-files.ts';
import { DOCUMENT_FILE, printedDocument } from './open-api-document.ts';

// Prints documents derived from the contracts; a test fails when a committed file has drifted.
const repository = join(import.meta.dirname, '../../../..');
writeFileSync(DOCUMENT_FILE, printedDocument());
writeFileSync(join(repository, 'docs/asyncapi.json'), JSON.stringify(asyncApiDocument()));

const analysts = join(repository, 'docs/analysts.md');
writeFileSync(analysts, withTitleCounts(readFileSync(analysts, 'utf8')));

const generated = join(repository, 'packages/client/src/generated');
rmSync(generated, { recursive: true, force: true });
mkdirSync(generated, { recursive: true });
for (const [name, text] of clientFiles()) writeFileSync(join(generated, name), text);
