import { z } from 'zod';
import type { KubernetesObject } from './render-chart.ts';

const variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .object({ secretKeyRef: z.object({ name: z.string(), key: z.string(), optional: z.boolean().optional() }) })
    .optional(),
});
const probe = z.looseObject({
  httpGet: z.object({ path: z.string(), port: z.string() }).optional(),
  tcpSocket: z.object({ port: z.string() }).optional(),
});
const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(variable).default([]),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.int() })).default([]),
  resources: z.looseObject({ limits: z.record(z.string(), z.string()) }),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() })),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
});
const workload = z.looseObject({
  spec: z.looseObject({
    replicas: z.int().optional(),
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({ containers: z.tuple([container]), securityContext: z.looseObject({}) }),
    }),
  }),
});

/** The single container of a Deployment or Job, with its pod. */
export interface Workload {
  kind: string;
  replicas: number | undefined;
  labels: Readonly<Record<string, string>>;
  pod: z.output<typeof workload>['spec']['template']['spec'];
  container: z.output<typeof container>;
}

/** By component: the names of docker-compose.yml. */
export function workloadsOf(objects: readonly KubernetesObject[]): Map<string, Workload> {
  const found = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  return new Map(
    found.map((object) => {
      const { spec } = workload.parse(object);
      const [only] = spec.template.spec.containers;
      const { labels } = spec.template.metadata;
      const pod = spec.template.spec;
      const entry: Workload = { kind: object.kind, replicas: spec.replicas, labels, pod, container: only };
      return [labels['app.kubernetes.io/component'] ?? '', entry];
    }),
  );
}

/** Returns the container's environment. A secret's value is `$(KEY)`. */
export function environmentOf({ container: { env } }: Workload): Record<string, string> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [name, value ?? `$(${valueFrom?.secretKeyRef.key})`]),
  );
}
