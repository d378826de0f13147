import { z } from 'zod';
import { readComposeFile } from '../stack/compose-files.ts';
import { interpolate } from './interpolate.ts';

const single = readComposeFile('docker-compose.yml');
const cluster = readComposeFile('docker-compose.cluster.yml');

const words = z.array(z.string());
const composeService = z.looseObject({
  command: words.optional(),
  entrypoint: words.optional(),
  environment: z.record(z.string(), z.string()).default({}),
  networks: words.default([]),
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
    Object.entries(services).map(([name, service]) => [
      name,
      composeService.parse(replaceIn(service, environmentOf(values))),
    ]),
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
      return [name, { ...inherited, ...(replaceIn(environment, environmentOf(values)) as Record<string, string>) }];
    }),
  );
}

/** A secret's value is `$(NAME)`, as Kubernetes writes a reference. */
function environmentOf(values: Readonly<Record<string, string>>): Record<string, string> {
  const secrets = [...(single.text + cluster.text).matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => [
    name,
    `$(${name})`,
  ]);
  return { ...(Object.fromEntries(secrets) as Record<string, string>), ...values };
}

function replaceIn(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, env)]));
}
