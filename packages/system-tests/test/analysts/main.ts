import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runExampleQuery } from './run-example-query.ts';
import { fillSampleHistory } from './sample-history.ts';
import { withResults, parseExampleQueries, type Tables } from './example-queries.ts';

// Updates the results of the example queries in docs/analysts.md. TEST_INFLUXDB_URL, _TOKEN and _ORG name an InfluxDB.
const file = join(import.meta.dirname, '../../../../docs/analysts.md');
const document = readFileSync(file, 'utf8');
const testBuckets = await fillSampleHistory();
try {
  const tables: Tables[] = [];
  for (const question of parseExampleQueries(document)) tables.push(await runExampleQuery(question, testBuckets));
  writeFileSync(file, withResults(document, tables));
} finally {
  await testBuckets.remove();
}
