import { z } from 'zod';
import { secrets } from '@lobbystats/cli/secrets';
import { readComposeFile } from '../stack/compose-files.ts';
import { secretsOfContainers } from '../stack/secret-owners.ts';
import { interpolate } from './interpolate.ts';

const single = readComposeFile('docker-compose.yml');
const ASSIGNED = z.record(z.string(), z.string());
/** Commands that the stack alone needs: a Kubernetes Secret has the secrets of the chart. */
const NOT_SERVICES = ['secrets'];
const cluster = readComposeFile('docker-compose.cluster.yml');

const words = z.array(z.string());
const composeService = z.looseObject({
  command: words.optional(),
  entrypoint: words.optional(),
  environment: ASSIGNED.default({}),
  image: z.string(),
  networks: z
    .record(z.string(), z.unknown())
    .default({})
    .transform((networks) => Object.keys(networks)),
  volumes: words.default([]),
  mem_limit: z.string(),
  read_only: z.boolean(),
  cap_add: words.default([]),
  user: z.string().optional(),
  sysctls: z.record(z.string(), z.string()).default({}),
  healthcheck: z.looseObject({ test: words.optional(), disable: z.boolean().optional() }).optional(),
});
export type ComposeService = z.output<typeof composeService>;

/** The services of docker-compose.yml with variables replaced. */
export function readComposeServices(values: Readonly<Record<string, string>> = {}): Map<string, ComposeService> {
  const { services } = single.content as { services: object };
  return new Map(
    Object.entries(services)
      .filter(([name]) => !NOT_SERVICES.includes(name))
      .map(([name, service]) => {
        const parsed = composeService.parse(replaceIn(service, values));
        return [name, { ...parsed, environment: { ...secretsOf(parsed), ...withoutFiles(parsed.environment) } }];
      }),
  );
}

/** The secrets that infra/docker/secrets.sh writes to a volume of our services. A secret's value is `$(NAME)`, as in Kubernetes. */
function secretsOf({ image, volumes }: ComposeService): Record<string, string> {
  if (!image.startsWith('lobbystats:')) return {};
  const [, owner = 'none'] = /^secrets-?([a-z-]*):/m.exec(volumes.join('\n')) ?? [];
  const names = owner === '' ? Object.keys(secrets) : (secretsOfContainers().get(owner) ?? []);
  return Object.fromEntries(names.map((name) => [name, `$(${name})`]));
}

/** `NAME_FILE: /run/secrets/SECRET` as `NAME: $(SECRET)`. */
function withoutFiles(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const [, secret] = /^[/]run[/]secrets[/](\w+)$/.exec(value) ?? [];
      return secret === undefined ? [name, value] : [name.replace(/_FILE$/, ''), `$(${secret})`];
    }),
  );
}

const override = z.looseObject({
  extends: z.object({ service: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
});

/** The environment of each service that docker-compose.cluster.yml changes or adds, as Docker Compose merges both files. */
export function readClusterEnvironments(
  values: Readonly<Record<string, string>> = {},
): Map<string, Record<string, string>> {
  const services = readComposeServices(values);
  const changed = cluster.content as { services: Record<string, unknown> };
  return new Map(
    Object.entries(changed.services).map(([name, service]) => {
      const { extends: base, environment } = override.parse(service);
      const inherited = services.get(base?.service ?? name)?.environment ?? {};
      return [name, { ...inherited, ...(replaceIn(environment, values) as Record<string, string>) }];
    }),
  );
}

function replaceIn(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, env)]));
}
