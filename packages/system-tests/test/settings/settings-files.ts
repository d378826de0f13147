import { join } from 'node:path';
import { settings as catalogApi } from '@lobbystats/catalog-api';
import { composeSettings } from '@lobbystats/cli/compose-settings';
import { provisionSettings } from '@lobbystats/cli/provision-config';
import { secrets } from '@lobbystats/cli/secrets';
import { settings as collector } from '@lobbystats/collector';
import { settings as gateway } from '@lobbystats/gateway';
import { settings as reputationApi } from '@lobbystats/reputation-api';
import { settings as seriesApi } from '@lobbystats/series-api';
import { tracingSettings } from '@lobbystats/service-kit';
import { standaloneSettings } from '@lobbystats/standalone/config';
import { settings as userApi } from '@lobbystats/user-api';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../../../..');
export const EXAMPLE = join(ROOT, '.env.example');
const WIDTH = 130;

/** Metadata of a setting; `commented`: npm start or docker compose set it. */
const settingMeta = z.looseObject({
  description: z.string().optional(),
  default: z.unknown().optional(),
  commented: z.boolean().default(false),
});
type SettingMeta = z.output<typeof settingMeta>;

const STORES = { DATABASE_URL: true } as const;
const BUS = { BUS_URL: true } as const;
const UPSTREAMS = {
  SERIES_API_URL: true,
  CATALOG_API_URL: true,
  USER_API_URL: true,
  REPUTATION_API_URL: true,
} as const;
const groups: readonly (readonly [title: string, sentence: string, ...schemas: z.ZodObject[]])[] = [
  ['the whole system', 'npm start runs it in one process.', standaloneSettings.omit(BUS), tracingSettings],
  ['the network', 'The collectors read it.', collector.omit({ ...BUS, ...STORES })],
  ['the site and the API', 'The gateway serves them.', gateway.omit({ ...BUS, ...UPSTREAMS })],
  ['users', 'user-api has their profiles, channels and achievements.', userApi.omit({ ...BUS, ...STORES })],
  [
    'a service that runs alone',
    'npm start and docker compose choose these by themselves.',
    gateway.pick({ ...BUS, ...UPSTREAMS }),
    collector.pick(STORES),
    ...[seriesApi, catalogApi, reputationApi],
  ],
  ['docker compose', 'The compose files alone read these; like those above, they are set in .env.', composeSettings],
  ['the init job', 'docker compose runs npx lobbystats provision, which prepares the servers.', provisionSettings],
];

/** Returns all settings by name, in the order of .env.example. Secrets that `npm run init` creates are no settings: nobody chooses them. */
function settingsByGroup(): (readonly [string, string, (readonly [string, SettingMeta])[]])[] {
  const seen = new Set<string>(Object.keys(secrets));
  return groups.map(([title, sentence, ...schemas]) => {
    const all = schemas.flatMap(({ shape }) => Object.entries(shape as Record<string, z.ZodType>));
    const fresh = all.filter(([name]) => !seen.has(name) && seen.add(name));
    return [title, sentence, fresh.map(([name, schema]) => [name, metaOf(schema)] as const)] as const;
  });
}

/** An optional setting has what the required one says, beside its own. */
function metaOf(schema: z.ZodType): SettingMeta {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType).meta() : {};
  return settingMeta.parse({ ...inner, ...schema.meta() });
}

const HEAD = `# All settings with their defaults. They are environment variables: \`PORT=9000 npm start\`. Lines of the form \`#NAME=\` are settings
# without a default, or that npm start and docker compose set. Printed by \`npm run docs:generate\` from the schemas of the services.
#
# Any setting can be read from a file: X_FILE=PATH reads X from PATH, and an unset X is read from /run/secrets/X. $(Y) in a value is
# the setting Y: BUS_URL=amqp://collector:$(RABBITMQ_COLLECTOR_PASSWORD)@rabbitmq:5672/lobbystats
#
# Secrets: docker compose makes them at its first start; \`npm run init\` adds them to .env with what each is for. They need 16
# characters. docs/operating.md, "Secrets", has how one is replaced.
#
# Settings of Docker Compose: COMPOSE_PROFILES names optional parts: observability (Prometheus, Grafana), analysts, analysts-tls, tls
# (the public endpoint with TLS), acme (its certificate), export (nightly Parquet files). COMPOSE_REMOVE_ORPHANS=1 removes the simulator
# once NETWORK_URL is set.
`;

/** The text of .env.example. */
export function printedExample(): string {
  const printed = settingsByGroup().map(([title, sentence, settings]) => {
    const lines = settings.flatMap(([name, meta]) => [...wrapped(meta.description ?? ''), lineOf(name, meta)]);
    return [`# --- ${title} ${'-'.repeat(WIDTH - title.length - 7)}`, `# ${sentence}`, '', ...lines, ''].join('\n');
  });
  return `${HEAD}\n${printed.join('\n')}`;
}

function lineOf(name: string, { default: value, commented }: SettingMeta): string {
  const isShown = typeof value === 'string' || typeof value === 'number';
  const text = isShown ? String(value) : '';
  return `${commented || text === '' ? '#' : ''}${name}=${text}`;
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}
