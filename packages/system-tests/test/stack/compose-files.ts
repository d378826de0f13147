import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { interpolate } from './interpolate.ts';

const ROOT = join(import.meta.dirname, '../../../..');

const parts = z.record(z.string(), z.unknown()).nullish();
const composeFile = z.looseObject({
  include: z.array(z.object({ path: z.string(), project_directory: z.literal('.') })).default([]),
  services: z.record(z.string(), z.looseObject({})),
  volumes: parts,
});
type File = z.output<typeof composeFile>;

/** The text of docker-compose.yml and of the files that it includes, and its content with included and extended services. */
export function readComposeFile() {
  const file = readFile('docker-compose.yml');
  const files = file.content.include.map(({ path }) => readFile(interpolate(path, {})));
  const all = [...files.map(({ content }) => content), file.content];
  const services = all.flatMap((one) =>
    Object.entries(one.services).map(([service, body]) => [service, withBase(body, one)] as const),
  );
  return {
    text: [file, ...files, readFile('infra/compose/base.yml')].map(({ text }) => text).join('\n'),
    content: {
      ...file.content,
      services: Object.fromEntries(services),
      volumes: Object.assign({}, ...all.map(({ volumes }) => volumes ?? {})) as Record<string, unknown>,
    } as unknown,
  };
}

function readFile(name: string): { text: string; content: File } {
  const text = readFileSync(join(ROOT, name), 'utf8');
  return { text, content: composeFile.parse(parse(text, { merge: true })) };
}

const extended = z.object({ file: z.string().optional(), service: z.string() });

function withBase(service: Record<string, unknown>, file: File): Record<string, unknown> {
  if (service['extends'] === undefined) return service;
  const { file: other, service: name } = extended.parse(service['extends']);
  const base = other === undefined ? file : readFile(other).content;
  const { extends: _, ...own } = service;
  return merged(withBase(base.services[name] ?? {}, base), own);
}

/** As Docker Compose merges: mappings by key, lists appended; a command, and what else is one value, is replaced. */
function merged(base: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const before = result[key];
    if (Array.isArray(before) && Array.isArray(value) && !['command', 'entrypoint', 'test'].includes(key)) {
      result[key] = [...(before as unknown[]), ...(value as unknown[])];
    } else if (isMapping(before) && isMapping(value)) result[key] = merged(before, value);
    else result[key] = value;
  }
  return result;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
