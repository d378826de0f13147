import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPermissions } from './permission-table.ts';

// Prints the permission table into docs/security.md; a test fails when the committed one has drifted.
const file = join(import.meta.dirname, '../../../../../docs/security.md');
writeFileSync(file, withPermissions(readFileSync(file, 'utf8')));
