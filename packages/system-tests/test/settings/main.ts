import { writeFileSync } from 'node:fs';
import { EXAMPLE, printedExample, printedValuesSchema, VALUES_SCHEMA } from './settings-files.ts';
import { CHART_NAMES, chartReadme, printedChartReadme } from './chart-readme.ts';
import { printedConsole, RUNBOOKS_CONSOLE } from './runbooks-console.ts';

writeFileSync(EXAMPLE, printedExample());
writeFileSync(VALUES_SCHEMA, printedValuesSchema());
writeFileSync(RUNBOOKS_CONSOLE, printedConsole());
for (const chart of CHART_NAMES) writeFileSync(chartReadme(chart), printedChartReadme(chart));
