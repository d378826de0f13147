import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartTools } from '@lobbystats/test-kit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { z } from 'zod';
import type { KubernetesObject } from './render-chart.ts';

const definition = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: z.looseObject({}) }) })),
  }),
});

/** @returns the faults of an object against the schema of its kind, none if it is valid. @throws Error for an unknown kind */
export type ValidateObject = (object: KubernetesObject) => string[];

/** Go's patterns: a flag for case inside of one is no JavaScript, and is ignored. */
const goPattern = Object.assign((pattern: string, flags: string) => new RegExp(pattern.replace('(?i)', ''), flags), {
  code: 'new RegExp',
});

/** @param version of Kubernetes, such as 1.37.0 */
export function createValidator(version: string): ValidateObject {
  const directory = join(chartTools.kubernetesSchemas, `v${version}-local-strict`);
  const read = (file: string) => JSON.parse(readFileSync(join(directory, file), 'utf8')) as object;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { regExp: goPattern } });
  ajv.addSchema(read('_definitions.json'), '/api/_definitions.json');
  const custom = readDefinitions();
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (name: string) => {
    const validate = validators.get(name) ?? ajv.compile(custom.get(name) ?? read(name));
    validators.set(name, validate);
    return validate;
  };
  return (object) => {
    const validate = validatorOf(fileOf(object.apiVersion, object.kind));
    validate(object);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${object.kind} ${object.metadata.name}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** The schemas' file names: `deployment-apps-v1.json`, `configmap-v1.json`. */
function fileOf(apiVersion: string, kind: string): string {
  const [version = '', group] = apiVersion.split('/').reverse();
  const parts = [kind.toLowerCase(), group?.split('.')[0], version];
  return `${parts.filter((part) => part !== undefined).join('-')}.json`;
}

/** Reads operators' definitions, and refuses fields that they don't define: Kubernetes would drop those. */
function readDefinitions(): Map<string, object> {
  const files = globSync(join(chartTools.resourceDefinitions, '*.yaml'));
  const all = files.map((file) => definition.parse(parse(readFileSync(file, 'utf8'))));
  return new Map(
    all.flatMap(({ spec: { group, names, versions } }) =>
      versions.map(({ name, schema }) => [
        fileOf(`${group}/${name}`, names.kind),
        withAnyMetadata(closed(schema.openAPIV3Schema)),
      ]),
    ),
  );
}

const withAnyMetadata = (schema: unknown): object => {
  const { properties, ...rest } = schema as { properties: object };
  return { ...rest, properties: { ...properties, metadata: true } };
};

/** Refuses fields beside `properties`, at every level. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = 'additionalProperties' in copy || copy['x-kubernetes-preserve-unknown-fields'] === true;
  return copy['type'] === 'object' && copy['properties'] !== undefined && !isOpen
    ? { ...copy, additionalProperties: false }
    : copy;
}
