import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { busDefinitions } from '@lobbystats/service-kit/bus';
import { EXAMPLE, printedExample } from './settings-files.ts';
import { printedConsole, RUNBOOKS_CONSOLE } from './runbooks-console.ts';

writeFileSync(EXAMPLE, printedExample());
writeFileSync(RUNBOOKS_CONSOLE, printedConsole());
writeFileSync(
  join(import.meta.dirname, '../../../../infra/rabbitmq/definitions.json'),
  JSON.stringify(busDefinitions()),
);
