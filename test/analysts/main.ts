import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askInflux } from './ask-influx.ts';
import { fillSampleHistory } from './sample-history.ts';
import { withResults, workedQuestions, type Tables } from './worked-questions.ts';

// Prints the results of the questions in docs/analysts.md anew. TEST_INFLUXDB_URL, _TOKEN and _ORG name an InfluxDB.
const file = join(import.meta.dirname, '../../docs/analysts.md');
const document = readFileSync(file, 'utf8');
const place = await fillSampleHistory();
try {
  const tables: Tables[] = [];
  for (const question of workedQuestions(document)) tables.push(await askInflux(question, place));
  writeFileSync(file, withResults(document, tables));
} finally {
  await place.remove();
}
