import { writeFileSync } from 'node:fs';
import { EXAMPLE, printedExample, printedValuesSchema, VALUES_SCHEMA } from './settings-files.ts';
import { printedConsole, RUNBOOKS_CONSOLE } from './runbooks-console.ts';

writeFileSync(EXAMPLE, printedExample());
writeFileSync(VALUES_SCHEMA, printedValuesSchema());
writeFileSync(RUNBOOKS_CONSOLE, printedConsole());
