import type { Operation } from '@lobbystats/contracts';
import type { Html } from '../../html.ts';
import { apiPath } from '../../links.ts';

/** The languages of the examples: two forms of JavaScript. */
export const codeNames = {
  curl: 'curl',
  client: 'JavaScript with @lobbystats/client',
  fetch: 'JavaScript with fetch',
  python: 'Python',
} as const;

export type CodeName = keyof typeof codeNames;

/** One thing to know, with an example in each language. */
export interface Step {
  /** Unique in the page, for links to it. */
  readonly id: string;
  readonly heading: string;
  readonly text: Html;
  /** Whole programs. */
  readonly code: Readonly<Record<CodeName, string>>;
}

/** The API as the examples name it. */
export interface GuideApi {
  /** Without a slash at its end. */
  readonly base: string;
  /** URL at the auth service that gives a session key. */
  readonly login: string;
  /** The examples sign in with this account, and rate a user. */
  readonly account: GuideAccount;
  /** A game that is followed. */
  readonly titleId: string;
  /** URL of an operation, or of one of its other paths. */
  readonly url: (operation: Pick<Operation, 'path'>, query?: Values, params?: Values) => string;
}

interface GuideAccount {
  readonly email: string;
  readonly password: string;
  readonly rated: string;
}

/** An account of the simulated network, whose passwords are public. */
export const DEMO_ACCOUNT = { email: 'limewren617@players.example', password: 'sim-0nsgs0o-0wibfv9' };

type Values = Readonly<Record<string, string | number>>;

export function guideApi(
  siteUrl: string,
  authPublicUrl: string,
  { account, titleId }: Pick<GuideApi, 'account' | 'titleId'>,
): GuideApi {
  return {
    account,
    titleId,
    base: siteUrl,
    login: new URL('api/auth/login', `${authPublicUrl}/`).href,
    url: ({ path }, query = {}, params = {}) => siteUrl + apiPath(path, params, query),
  };
}
