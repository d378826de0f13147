import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { DAY_SECONDS, formatInstant, SLOT_SECONDS, titleId } from '@lobbystats/contracts';
import { StartupError } from '@lobbystats/contracts/errors';
import { describeFileError } from '@lobbystats/service-kit';
import { z } from 'zod';
import type { Template } from '../feeds/project.parse.ts';
import { METADATA_INTERVAL_SECONDS } from '../slots/slot-times.ts';
import { htmlForms, type FormParts } from './html-forms.http.ts';
import type { SourceForms } from './source-forms.ts';

const template: z.ZodType<Template> = z.lazy(() =>
  z.union([
    z.string().regex(/^(?:\/.*)?$/, 'must be a JSON Pointer: "" or a text that begins with /'),
    z.strictObject({ value: z.unknown() }),
    z.record(z.string(), template),
  ]),
);

const source = z.strictObject({
  /** Relative to `NETWORK_URL`, with `{titleId}`, `{leaderboardId}`, `{page}` and `{since}` where they belong. */
  url: z.string().min(1).max(2000),
  reading: template,
});
const polled = source.extend({
  intervalSeconds: z.int().multipleOf(SLOT_SECONDS).min(SLOT_SECONDS).max(DAY_SECONDS).optional(),
});

const ratingRule = z.strictObject({
  rawTime: z.strictObject({ from: z.number(), times: z.number() }).optional(),
  picture: z.string().max(200).refine(hasGroup, 'must be a regular expression with one group').optional(),
});

/** The sources that differ from the HTML site; null for one that the network does not have. */
const sourcesFile = z.strictObject({
  homepage: source.optional(),
  titles: source.nullish(),
  leaderboards: z.union([source, z.literal('game-page')]).nullish(),
  events: polled.nullish(),
  players: polled.nullish(),
  /** How ratings are read, by title ID. */
  ratings: z.record(titleId, ratingRule).optional(),
});

export type SourcesFile = z.output<typeof sourcesFile>;

/** @throws StartupError that names the fault, when the file can't be read or describes no sources */
export function readSourcesFile(path: string): SourcesFile {
  try {
    return sourcesFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason =
      error instanceof z.ZodError
        ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
        : [describeFileError(error)];
    throw new StartupError(`NETWORK_SOURCES_FILE ${path}: ${reason.join('; ')}`);
  }
}

/** The forms of the HTML site, with the sources that a file describes in their place. */
export function sourceForms(file: SourcesFile, parts: FormParts): SourceForms {
  const html = htmlForms(parts);
  const { parse, networkUrl, publicUrl } = parts;
  const baseUrl = `${publicUrl}/`;
  const { homepage, titles, leaderboards, events, players, ratings = {} } = file;
  const urlOf = (form: { url: string }, values: object) => expand(form.url, values, networkUrl);
  const htmlBoards: SourceForms['leaderboards'] = html.leaderboards && {
    ...html.leaderboards,
    read: (body, values) => parse('board', body, '', undefined, ratings[values.titleId]),
  };
  const withBoards: SourceForms['titles'] = html.titles && {
    ...html.titles,
    read: (body, values) => parse('gameWithBoards', body, baseUrl, undefined, ratings[values.titleId]),
  };
  return {
    homepage:
      homepage === undefined
        ? html.homepage
        : {
            type: 'json',
            url: () => urlOf(homepage, {}),
            read: (body) => parse('siteCounts', body, baseUrl, homepage.reading),
          },
    titles: or(titles, leaderboards === 'game-page' ? withBoards : html.titles, (form) => ({
      type: 'json',
      url: (values) => urlOf(form, values),
      read: (body) => parse('gameData', body, baseUrl, form.reading),
    })),
    leaderboards: or(leaderboards === 'game-page' ? undefined : leaderboards, htmlBoards, (form) => ({
      type: 'json',
      url: (values) => urlOf(form, values),
      read: (body, values) => parse('boardEntries', body, baseUrl, form.reading, ratings[values.titleId]),
    })),
    hasBoardsOnTitles: leaderboards === 'game-page',
    events: or(events, html.events, (form) => ({
      type: 'json',
      intervalSeconds: form.intervalSeconds ?? METADATA_INTERVAL_SECONDS,
      url: () => urlOf(form, {}),
      read: (body) => parse('events', body, baseUrl, form.reading),
    })),
    players: or(players, html.players, (form) => ({
      type: 'json',
      intervalSeconds: form.intervalSeconds ?? SLOT_SECONDS,
      url: (values) => urlOf(form, values),
      read: (body, _values, seenAt) => parse('players', body, baseUrl, playersTemplate(form.reading, seenAt)),
    })),
    version: `${publicUrl} ${createHash('sha256').update(JSON.stringify(file)).digest('base64url')}`,
  };
}

function or<Described, Form>(
  described: Described | null | undefined,
  form: Form,
  create: (described: Described) => NonNullable<Form>,
): Form | null {
  if (described === undefined) return form;
  return described === null ? null : create(described);
}

/** A list of the users online often has neither a state nor a time: each is online at the time of the request. */
function playersTemplate(reading: Template, seenAt: number): Template {
  if (typeof reading === 'string' || 'value' in reading) return reading;
  const { players, next = { value: null } } = reading as Readonly<Record<string, Template>>;
  if (players === undefined || typeof players === 'string') return reading;
  const defaults = { isOnline: { value: true }, lastSeenAt: { value: formatInstant(seenAt) } };
  return { players: { ...defaults, ...players } as Template, next };
}

/** Replaces `{name}` by each value; a query parameter without a value is left out. */
function expand(url: string, values: object, networkUrl: string): string {
  const known = new Map(Object.entries(values).filter(([, value]) => value !== null));
  const path = url
    .replace(/[?&][^?&={}]+=\{(\w+)\}/g, (part, name: string) => (known.has(name) ? part : ''))
    .replace(/^([^?&]*)&/, '$1?')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(known.get(name) ?? '')));
  return /^https?:\/\//.test(path) ? path : `${networkUrl}/${path.replace(/^\//, '')}`;
}

function hasGroup(pattern: string): boolean {
  try {
    return (new RegExp(`${pattern}|`).exec('')?.length ?? 0) === 2;
  } catch {
    return false;
  }
}
