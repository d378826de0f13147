import {
  operations,
  type EpochSeconds,
  type GameMetadata,
  type Operation,
  type OperationResponse,
  type StreamTopic,
} from '@lobbystats/contracts';
import type { z } from 'zod';
import type { Html } from './html.ts';
import type { Values } from './links.ts';

type Fields = z.ZodObject;

/** A page of the site: a response composed of operations, cached and invalidated like theirs. */
export interface Page<Params extends Fields = Fields, Query extends Fields = Fields> {
  /** Label in metrics, and part of the cache key. */
  readonly id: string;
  /** An Express path. `:game` is a name or title ID, and becomes `titleId` in `params`. */
  readonly path: string;
  readonly params: Params;
  readonly query: Query;
  /** All that the page asks: facts with a cache tag of one of them invalidate it. */
  readonly asks: readonly Operation[];
  /** Parameters that these tags name. Default: those of the path. */
  readonly tagParams?: (params: z.output<Params>) => Values;
  /** Name of its own style sheet, which is nested in `main[data-style='…']`. Default: shared styles alone. */
  readonly style?: string | undefined;
  /** Style sheets of the page may embed images. Default: no. */
  readonly hasEmbeddedImages?: boolean;
  /** Other sites may show the page in a frame: it has no header, no footer and no session. Default: no. */
  readonly isWidget?: boolean;
  /** @throws AppError `not-found`, or `unavailable` if the page makes no sense without an upstream that fails */
  readonly view: (request: PageRequest<Params, Query>, data: PageData) => Promise<View>;
}

interface PageRequest<Params extends Fields, Query extends Fields> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
}

/** Access of pages to the system. */
export interface PageData {
  /** Asks an operation in process, the same request once. @throws AppError as upstreams do */
  ask<Op extends Operation>(
    operation: Op,
    params?: Values,
    query?: Values,
    body?: unknown,
  ): Promise<OperationResponse<Op>>;
  /** Like {@link ask}, but undefined while the upstream is unavailable. The page is then not stored. */
  askPart<Op extends Operation>(
    operation: Op,
    params?: Values,
    query?: Values,
    body?: unknown,
  ): Promise<OperationResponse<Op> | undefined>;
  /** Like {@link askPart}, but null if there is no such thing. */
  find<Op extends Operation>(
    operation: Op,
    params?: Values,
    query?: Values,
  ): Promise<OperationResponse<Op> | undefined | null>;
  readonly titles: {
    /** Undefined if there is no such title, or no titles are loaded. */
    known(titleId: string): GameMetadata | undefined;
    /** Title ID of a title ID or name. */
    resolveLink(game: string): string | undefined;
    /** Titles whose name matches a text, best first; if none does, those that do but for one letter. */
    similar(text: string): readonly GameMetadata[];
  };
  readonly siteUrl: string;
  readonly now: EpochSeconds;
}

export interface View {
  /** Without the site's name. */
  readonly title: string;
  readonly description: string;
  /** Path and query of its canonical URL. */
  readonly path: string;
  /** Path of the image for link previews. Default: the site's. */
  readonly image?: string;
  /** The same content in other formats. */
  readonly alternates?: readonly Alternate[];
  /** Events after which the page is fetched again. Default: none. */
  readonly topics?: readonly StreamTopic[];
  /** Names: events of other users and players don't concern the page. Default: all events do. */
  readonly about?: readonly string[];
  /** Colors of a widget. Default: those of the reader's system. */
  readonly theme?: 'light' | 'dark' | undefined;
  /** Elements of the head besides those of every page. */
  readonly head?: Html;
  /** False for data with other tags than {@link Page.tags}: it is not stored. Default: true. */
  readonly isStorable?: boolean;
  /** Crawlers leave the page out. */
  readonly isPrivate?: boolean;
  readonly content: Html;
}

export interface Alternate {
  /** Media type. */
  readonly type: string;
  readonly href: string;
  readonly title: string;
}

/** Every page shows the status, but for widgets. */
export function definePage<Params extends Fields, Query extends Fields>(page: Page<Params, Query>): Page {
  const asks = page.isWidget === true ? page.asks : [...new Set([...page.asks, operations.getStatus])];
  const defined: Page<Params, Query> = { ...page, asks };
  return defined;
}

export const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  atom: 'application/atom+xml',
  calendar: 'text/calendar',
} as const;
