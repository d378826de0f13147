import { DAY_SECONDS, SLOT_SECONDS, titleId } from '@lobbystats/contracts';
import { z } from 'zod';

/**
 * The description of a network's sources: what a page or a JSON answer means. NETWORK_SOURCES_FILE holds one; what it leaves out is as in
 * {@link ../pages/built-in.ts}. docs/network.md explains each member.
 */

const text = z.string().max(300);
/** One text, or several of which any may stand. They are compared without case, spaces, sort arrows and final colons or points. */
const texts = textsOf(text);
export type Texts = z.output<typeof texts>;

/** A text in which each placeholder, such as `{n}`, stands once. */
const format = text.refine(hasEachPlaceholderOnce, 'must have each placeholder once');
const formatTexts = textsOf(format);

/** A CSS selector, which the reader of the file checks. */
const selector = text;
const selectors = z.union([selector, z.array(selector).max(100)]);

/** How further pages are reached: there are none, a link or button is there, or a page with so many rows is followed by another one. */
const paging = z.union([
  z.literal('none'),
  z.strictObject({ next: selector }),
  z.strictObject({ rows: z.int().min(1).max(10_000) }),
]);
export type Paging = z.output<typeof paging>;

function tableOf<const Field extends string>(fields: readonly [Field, ...Field[]]) {
  // A heading, or null for a column that the table never has.
  const columns = Object.fromEntries(fields.map((field) => [field, texts.nullable().optional()]));
  return {
    /** Heading, caption or legend before the table; `""` for none. Other tables are not looked at. */
    section: texts.optional(),
    /** Tables that do not match it are not looked at; one that matches nothing has the page refused. */
    selector: selector.optional(),
    columns: z.strictObject(columns as Record<Field, z.ZodOptional<z.ZodNullable<typeof texts>>>).optional(),
    /** The columns of a table without headings, from the left; `""` for one that is not read. */
    order: z.array(z.enum([...fields, ''])).optional(),
    /** What the page says when the table has no rows. */
    none: texts.optional(),
    /** What rows that are no data begin with, such as "Total". */
    ignoreRows: texts.optional(),
  };
}

/** Texts of `{h}`, `{m}`, `{s}`, `{f}` (fraction of a second), `{ms}`, `{players}`, `{max}`, `{sessions}`, `{rank}` and what stands around. */
const formats = z
  .strictObject({
    players: formatTexts.optional(),
    activity: formatTexts.optional(),
    /** Activities of games that nobody plays. */
    idle: texts.optional(),
    rank: formatTexts.optional(),
    time: formatTexts.optional(),
    /** What stands instead of the number 0. */
    zero: texts.optional(),
  })
  .optional();

const homepagePage = z.strictObject({
  /** Labels of the counters. */
  counters: z
    .strictObject({
      online: formatTexts.optional(),
      registered: formatTexts.nullable().optional(),
      games: formatTexts.nullable().optional(),
    })
    .optional(),
  games: z.strictObject(tableOf(['title', 'titleId', 'publisher', 'online', 'activity'])).optional(),
  formats,
  pages: paging.optional(),
});

const titlePage = z.strictObject({
  matches: z.strictObject(tableOf(['host', 'players', 'maxPlayers'])).optional(),
  /** Labels of the metadata. */
  metadata: z
    .strictObject({ title: texts.optional(), publisher: texts.optional(), releaseDate: texts.optional() })
    .optional(),
  /** The menu of the title's leaderboards, a `select`. */
  boards: selector.nullable().optional(),
  formats,
  pages: paging.optional(),
});

const boardPage = z.strictObject({
  entries: z
    .strictObject({
      ...tableOf(['rank', 'name', 'score', 'time']),
      startsAt: z.union([z.literal(1), z.literal('any')]).optional(),
      /** What an empty rank means. */
      blankRank: z.literal('tie').optional(),
    })
    .optional(),
  formats,
  pages: paging.optional(),
});

/**
 * Describes JSON of this product in terms of a network's JSON. A text is a JSON Pointer (RFC 6901) to the value, `""` the
 * element itself; `{ "value": … }` is a constant. An object with `each`, a pointer to a list, becomes a list of objects,
 * whose other members are taken from each element. Any other object becomes an object.
 */
export type Template = string | { readonly value: unknown } | { readonly [member: string]: Template };

const template: z.ZodType<Template> = z.lazy(() =>
  z.union([
    z.string().regex(/^(?:\/.*)?$/, 'must be a JSON Pointer: "" or a text that begins with /'),
    z.strictObject({ value: z.unknown() }),
    z.record(z.string(), template),
  ]),
);

/** Relative to `NETWORK_URL`, with `{titleId}`, `{leaderboardId}`, `{page}` and `{since}` where they belong. */
const url = z.string().min(1).max(2000);
const json = z.strictObject({ url, reading: template });
const polled = json.extend({
  intervalSeconds: z.int().multipleOf(SLOT_SECONDS).min(SLOT_SECONDS).max(DAY_SECONDS).optional(),
});
function htmlOf<Page extends z.ZodType>(page: Page) {
  return z.strictObject({ url: url.optional(), page });
}

const ratingRule = z.strictObject({
  rawTime: z.strictObject({ from: z.number(), times: z.number() }).optional(),
});

/** A source with `reading` is JSON, one with `page` HTML; null is one that the network does not have. */
export const sourcesFile = z.strictObject({
  homepage: z.union([json, htmlOf(homepagePage)]).optional(),
  titles: z.union([json, htmlOf(titlePage)]).nullish(),
  /** `game-page`, also as `url`: the leaderboard is on the page of its title. */
  leaderboards: z.union([json, htmlOf(boardPage), z.literal('game-page')]).nullish(),
  events: polled.nullish(),
  players: polled.nullish(),
  /** How ratings are read, by title ID. */
  ratings: z.record(titleId, ratingRule).optional(),
  /** Elements of all pages that nobody sees, or that are no part of any value, such as badges. */
  hidden: selectors.optional(),
  /** Elements that are part of the value beside them. */
  keep: selectors.optional(),
});

export type SourcesFile = z.output<typeof sourcesFile>;
export type RatingRule = z.output<typeof ratingRule>;
type Formats = NonNullable<z.output<typeof formats>>;

/** What a reader gets of a page's description: that of the source, with what is built in, and what holds for all pages. */
interface Common {
  hidden?: Texts | undefined;
  keep?: Texts | undefined;
  formats?: Formats | undefined;
  pages?: Paging | undefined;
}
export type HomepageDescription = z.output<typeof homepagePage> & Common;
export type TitleDescription = z.output<typeof titlePage> & Common;
export type BoardDescription = z.output<typeof boardPage> & Common;
export interface PageDescriptions {
  homepage: HomepageDescription;
  titles: TitleDescription;
  leaderboards: BoardDescription;
}
export type HtmlSource = keyof PageDescriptions;

export interface TableDescription<Field extends string> {
  section?: Texts | undefined;
  selector?: string | undefined;
  columns?: Partial<Record<Field, Texts | null | undefined>> | undefined;
  order?: readonly (Field | '')[] | undefined;
  none?: Texts | undefined;
  ignoreRows?: Texts | undefined;
}

export function listOf(value: string | readonly string[] | null | undefined): readonly string[] {
  return value === undefined || value === null ? [] : typeof value === 'string' ? [value] : value;
}

function textsOf<Text extends z.ZodType<string>>(one: Text) {
  return z.union([one, z.array(one).max(500)]);
}

function hasEachPlaceholderOnce(text: string): boolean {
  const placeholders = text.match(/\{\w+\}/g) ?? [];
  return new Set(placeholders).size === placeholders.length;
}
