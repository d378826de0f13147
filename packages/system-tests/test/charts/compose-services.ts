import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { interpolate } from './interpolate.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../docker-compose.yml'), 'utf8');

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

/** The services of docker-compose.yml with variables replaced. A secret's value is `$(NAME)`, as Kubernetes writes a reference. */
export function readComposeServices(values: Readonly<Record<string, string>> = {}): Map<string, ComposeService> {
  const secrets = [...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => [name, `$(${name})`]);
  const env = { ...(Object.fromEntries(secrets) as Record<string, string>), ...values };
  const { services } = parse(text, { merge: true }) as { services: object };
  return new Map(
    Object.entries(services).map(([name, service]) => [name, composeService.parse(replaceIn(service, env))]),
  );
}

function replaceIn(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, env)]));
}
