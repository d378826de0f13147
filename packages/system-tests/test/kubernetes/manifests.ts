import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { IMAGE } from '../stack/image.ts';

const DIRECTORY = join(import.meta.dirname, '../../../../infra/kubernetes');

const container = z.object({
  command: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
});
const workload = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([container]),
        volumes: z
          .tuple([z.object({ secret: z.object({ items: z.array(z.object({ key: z.string() })) }) })])
          .optional(),
      }),
    }),
  }),
});
const settings = z.object({ data: z.record(z.string(), z.string()) });
const pod = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        securityContext: z.object({ runAsUser: z.int(), runAsGroup: z.int() }),
        containers: z.tuple([
          z.object({
            securityContext: z.object({
              readOnlyRootFilesystem: z.boolean(),
              capabilities: z.object({ drop: z.array(z.string()) }),
            }),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
      }),
    }),
  }),
});

/** A container of a pod, as Docker Compose describes it. */
export interface PodContainer {
  readonly name: string;
  /** Keys of the Secret that the pod gets; undefined: all. */
  readonly secrets: readonly string[] | undefined;
  /** @param directories the host's directories of the pod's volumes by name */
  readonly service: (directories: Readonly<Record<string, string>>) => object;
}

/**
 * Reads the containers of the services and of the init job.
 *
 * @param changes replace settings of the ConfigMap
 */
export function readContainers(changes: Readonly<Record<string, string>>): PodContainer[] {
  const config = { ...readOne('settings.yaml', settings).data, ...changes };
  const { spec: rights } = readOne('pod.yaml', pod).spec.template;
  const [{ securityContext, volumeMounts }] = rights.containers;
  const files = ['init', 'collector', 'series-api', 'catalog-api', 'user-api', 'reputation-api', 'gateway'];
  return files.map((file) => {
    const { metadata, spec } = readOne(`${file}.yaml`, workload);
    const { containers, volumes } = spec.template.spec;
    const [{ command, env, resources }] = containers;
    const own = env.map(({ name, value }) => [name, expanded(value, config)] as const);
    const environment = Object.entries({ ...config, ...Object.fromEntries(own) });
    return {
      name: metadata.name,
      secrets: volumes?.[0].secret.items.map(({ key }) => key),
      service: (directories) => ({
        image: IMAGE,
        command,
        // Docker Compose expands what follows a single dollar sign.
        environment: Object.fromEntries(environment.map(([name, value]) => [name, value.replaceAll('$', '$$$$')])),
        user: `${rights.securityContext.runAsUser}:${rights.securityContext.runAsGroup}`,
        read_only: securityContext.readOnlyRootFilesystem,
        cap_drop: securityContext.capabilities.drop,
        mem_limit: resources.limits.memory.replace('i', '').toLowerCase(),
        tmpfs: volumeMounts.filter(({ name }) => directories[name] === undefined).map(({ mountPath }) => mountPath),
        volumes: volumeMounts.flatMap(({ name, mountPath }) =>
          directories[name] === undefined ? [] : [`${directories[name]}:${mountPath}:ro`],
        ),
      }),
    };
  });
}

/** As the kubelet: a reference to a variable without a value stays, and the service reads it from its secrets. */
function expanded(value: string, config: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$\(([A-Z_]+)\)/g, (reference, name: string) => config[name] ?? reference);
}

function readOne<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  const [first] = parseAllDocuments(readFileSync(join(DIRECTORY, file), 'utf8'));
  return schema.parse(first?.toJS());
}
