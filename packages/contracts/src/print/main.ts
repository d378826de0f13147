import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesPage } from './messages-page.ts';

// Writes the documents that are made from the contracts; a test fails when a committed one has drifted.
const docs = join(import.meta.dirname, '../../../../docs');
writeFileSync(join(docs, 'messages.md'), messagesPage());
