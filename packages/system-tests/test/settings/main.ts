import { writeFileSync } from 'node:fs';
import { EXAMPLE, printedExample, printedValuesSchema, VALUES_SCHEMA } from './settings-files.ts';

writeFileSync(EXAMPLE, printedExample());
writeFileSync(VALUES_SCHEMA, printedValuesSchema());
