import { writeFileSync } from 'node:fs';
import { EXAMPLE, printedExample } from './settings-files.ts';
import { printedConsole, RUNBOOKS_CONSOLE } from './runbooks-console.ts';

writeFileSync(EXAMPLE, printedExample());
writeFileSync(RUNBOOKS_CONSOLE, printedConsole());
