import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { baseSettings, ConfigError, readConfig, setting } from '@lobbystats/service-kit';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { z } from 'zod';

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

const settings = z.object({
  ...baseSettings(8081),
  SERIES_URL: setting.url({ protocols: ['http', 'sqlite'], default: 'sqlite:./data/series.sqlite' }),
  API_TOKEN: setting.secret().optional(),
});

describe('readConfig', () => {
  it('has a default for every base setting', () => {
    expect(readConfig(settings, {})).toEqual({
      LOG_LEVEL: 'info',
      NETWORK_ORIGIN: 'simulated',
      HOST: '127.0.0.1',
      PORT: 8081,
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: 9464,
      BUS_URL: 'memory:',
      SERIES_URL: 'sqlite:./data/series.sqlite',
    });
  });

  it('parses typed values', () => {
    const config = readConfig(settings, {
      PORT: '0',
      LOG_LEVEL: 'debug',
      SERIES_URL: 'http://series:8081//',
    });
    expect(config).toMatchObject({ PORT: 0, LOG_LEVEL: 'debug', SERIES_URL: 'http://series:8081' });
  });

  it('reports all faults at once, one line each, without values', () => {
    const env = {
      PORT: '65536',
      LOG_LEVEL: 'loud',
      SERIES_URL: 'ftp://user:hunter2@series',
      METRICS_PORT: '1e3',
    };
    const faults = faultsOf(() => readConfig(settings, env));
    expect([...faults].sort()).toEqual([
      'LOG_LEVEL must be one of error, warn, info, debug',
      'METRICS_PORT must be an integer from 0 to 65535',
      'PORT must be an integer from 0 to 65535',
      'SERIES_URL must be a URL that begins with http: or sqlite:',
    ]);
    expect(new ConfigError(faults).message.split('\n')).toHaveLength(faults.length);
  });

  it('reports a required setting that is unset or empty', () => {
    const schema = z.object({
      NAME: setting.text(),
      TOKEN: setting.secret(),
      PORT: setting.integer({ min: 1, max: 9 }),
    });
    expect(faultsOf(() => readConfig(schema, { NAME: '' }))).toEqual([
      'NAME must be set to a text',
      'TOKEN must be set to a text',
      'PORT must be set to an integer from 1 to 9',
    ]);
    expect(readConfig(settings, { PORT: '' }).PORT).toBe(8081);
  });

  it('returns a frozen object with only the settings of the schema', () => {
    const config = readConfig(settings, { PATH: '/bin', constructor: 'x' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(config).not.toHaveProperty('PATH');
    expect(Object.hasOwn(config, 'constructor')).toBe(false);
  });

  it('redacts a secret unless it is revealed', () => {
    const { API_TOKEN } = readConfig(settings, { API_TOKEN: 'hunter2' });
    expect(API_TOKEN?.reveal()).toBe('hunter2');
    const output = [inspect({ API_TOKEN }), JSON.stringify({ API_TOKEN }), String(API_TOKEN)].join();
    expect(output).toContain('[redacted]');
    expect(output).not.toContain('hunter2');
  });

  it('reads an unset setting from the secret of its name, and references in values', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'API_TOKEN'), 'hunter2\n');
    writeFileSync(join(directory, 'PASSWORD'), 'p@ss/word');
    const schema = z.object({ API_TOKEN: setting.secret(), URL: setting.text(), TEXT: setting.text('none') });
    const env = { URL: 'amqp://a:$(PASSWORD)@host', TEXT: '$(PASSWORD) $(1) $PASSWORD' };
    expect(readConfig(schema, env, directory)).toMatchObject({
      URL: 'amqp://a:p%40ss%2Fword@host',
      TEXT: 'p@ss/word $(1) $PASSWORD',
    });
    expect(readConfig(schema, env, directory).API_TOKEN.reveal()).toBe('hunter2');
    expect(readConfig(schema, { ...env, PASSWORD: 'given' }, directory).URL).toBe('amqp://a:given@host');
    expect(faultsOf(() => readConfig(schema, { URL: 'amqp://a:$(GONE)@host' }, directory))).toEqual([
      'URL refers to GONE, which is not set',
    ]);
  });

  it('reads an unset setting from the file that NAME_FILE names', () => {
    const file = join(temporaryDirectory(), 'token');
    writeFileSync(file, 'hunter2\n');
    expect(readConfig(settings, { API_TOKEN_FILE: file }).API_TOKEN?.reveal()).toBe('hunter2');
    expect(readConfig(settings, { API_TOKEN: 'given', API_TOKEN_FILE: file }).API_TOKEN?.reveal()).toBe('given');
    expect(faultsOf(() => readConfig(settings, { API_TOKEN_FILE: `${file}.gone` }))).toEqual([
      expect.stringMatching(/^API_TOKEN_FILE names a file that can't be read: ENOENT$/),
    ]);
  });

  it.each(['sqlite:./a.sqlite', 'mongodb://u:p@a:27017,b:27018/c?replicaSet=rs0'])(
    'accepts %s as a store URL',
    (url) => {
      const schema = z.object({ STORE: setting.store({ protocols: ['mongodb'], default: 'sqlite:x' }) });
      expect(readConfig(schema, { STORE: url }).STORE).toBe(url);
    },
  );

  it.each(['sqlite:', 'mongo://h/d', 'mongodb:h', 'http://h'])('rejects "%s" as a store URL', (url) => {
    const schema = z.object({ STORE: setting.store({ protocols: ['mongodb'], default: 'sqlite:' }) });
    expect(faultsOf(() => readConfig(schema, { STORE: url }))).toEqual([
      'STORE must be sqlite:PATH or a URL that begins with mongodb:',
    ]);
  });
});
