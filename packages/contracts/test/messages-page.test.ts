import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesPage } from '../src/print/messages-page.ts';

it('docs/messages.md matches the message types (npm run docs:generate)', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/messages.md'), 'utf8');
  expect(committed).toBe(messagesPage());
});
