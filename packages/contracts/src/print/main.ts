import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesPage } from './messages-page.ts';

const docs = join(import.meta.dirname, '../../../../docs');
writeFileSync(join(docs, 'messages.md'), messagesPage());
