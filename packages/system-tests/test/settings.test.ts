import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secrets } from '@lobbystats/cli/secrets';
import { busDefinitions } from '@lobbystats/service-kit/bus';
import { EXAMPLE, printedExample } from './settings/settings-files.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const example = readFileSync(EXAMPLE, 'utf8');
const settings = new Map(
  [...example.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

describe('.env.example', () => {
  it('is printed from the schemas of the services (npm run docs:generate)', () => {
    expect(example).toBe(printedExample());
  });

  it('lists each setting once, at most 70 of them, and no secret that npm run init creates', () => {
    expect([...example.matchAll(/^#?[A-Z_]+=/gm)]).toHaveLength(settings.size);
    expect(settings.size).toBeLessThanOrEqual(70);
    expect(Object.keys(secrets).filter((name) => settings.has(name))).toEqual([]);
  });

  it('has what the compose files read, with the same defaults', () => {
    const files = ['docker-compose.yml', ...globSync('infra/compose/*.yml', { cwd: root })];
    const asked = files.flatMap((file) => [...read(file).matchAll(/\$\{([A-Z_]+)(?::-([^${}]*)\})?/g)]);
    expect(asked.length).toBeGreaterThan(50);
    const unknown = asked.filter(([, name = '']) => !settings.has(name) && !(name in secrets));
    expect(unknown.map(([, name]) => name)).toEqual([]);
    // Defaults that depend on the form: a service of another container, or the simulator.
    const otherwise = asked.filter(
      ([, name = '', value = '']) => /^[\d.]+[a-zA-Z]*$/.test(value) && settings.get(name) !== value,
    );
    expect(otherwise.map(([, name, value]) => [name, value])).toEqual([]);
  });
});

it('infra/rabbitmq/definitions.json is what the init job posts (npm run docs:generate)', () => {
  expect(JSON.parse(read('infra/rabbitmq/definitions.json'))).toEqual(busDefinitions());
});
