import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { startServices } from './seed-standalone.ts';
import { run } from '../../testing/run-captured.ts';

const SETTINGS = 'RABBITMQ_ADMIN_PASSWORD=x\nINFLUXDB_ADMIN_TOKEN=x\nMONGODB_ADMIN_PASSWORD=x\nERASURE_KEY=a-key\n';

describe('migrate before it connects to servers', () => {
  it('rejects a source without the scheme sqlite:', async () => {
    expect(await run(['migrate', '--from', './data', '--to', '.env'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('--from sqlite:DIRECTORY is required; see npx lobbystats migrate --help'),
    });
  });

  it('refuses settings without servers, a directory without data, another erasure key, and dead letters', async () => {
    const directory = temporaryDirectory();
    const settings = join(directory, 'settings.env');
    const data = join(directory, 'data');
    const migrate = (...more: string[]) => run(['migrate', '--from', `sqlite:${data}`, '--to', settings, ...more]);
    expect(await run(['migrate', '--from', `sqlite:${data}`])).toMatchObject({
      code: 1,
      error: expect.stringContaining('docker compose run --rm operator'),
    });
    writeFileSync(settings, 'DATA_DIR=./data\n');
    expect(await migrate()).toMatchObject({
      code: 1,
      error: expect.stringContaining("has no administrators' secrets"),
    });
    writeFileSync(settings, SETTINGS);
    expect(await migrate()).toMatchObject({ code: 1, error: expect.stringContaining('has no data') });
    await (await startServices({ DIRECTORY: data })).stop();
    writeFileSync(join(data, 'erasure.key'), 'another-key');
    expect(await migrate()).toMatchObject({ code: 1, error: expect.stringContaining('ERASURE_KEY') });
    writeFileSync(join(data, 'erasure.key'), 'a-key');
    const bus = new DatabaseSync(join(data, 'bus.sqlite'));
    bus.exec("INSERT INTO dead_letter VALUES (1, 'series-api', 0, 5, NULL, 'odd', 0, '{}')");
    bus.close();
    expect(await migrate()).toMatchObject({ code: 1, error: expect.stringContaining('1 dead letters') });
  });
});
