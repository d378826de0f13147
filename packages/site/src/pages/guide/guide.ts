import { oneOf, operations } from '@lobbystats/contracts';
import { z } from 'zod';
import { caching } from './caching.ts';
import { errors } from './errors.ts';
import { following } from './following.ts';
import { paging } from './paging.ts';
import { politeness } from './politeness.ts';
import { receiving } from './receiving.ts';
import { start } from './start.ts';
import { codeNames, DEMO_ACCOUNT, guideApi, type CodeName, type Step } from './step.ts';
import { streaming } from './streaming.ts';
import { times } from './times.ts';
import { versions } from './versions.ts';
import { writing } from './writing.ts';
import { html, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import { definePage, type PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { section } from '../../parts/part.ts';

const { getNow, listUsersOnline } = operations;

const STEPS = [start, paging, times, caching, streaming, writing, following, receiving, errors, versions, politeness];

/** The examples of one language, or of all. */
const LANGUAGES = {
  all: { text: 'All languages', shown: ['curl', 'client', 'fetch', 'python'] },
  curl: { text: 'curl', shown: ['curl'] },
  javascript: { text: 'JavaScript', shown: ['client', 'fetch'] },
  python: { text: 'Python', shown: ['python'] },
} as const satisfies Readonly<Record<string, { text: string; shown: readonly CodeName[] }>>;

type Language = keyof typeof LANGUAGES;

const languages = Object.keys(LANGUAGES) as [Language, ...Language[]];

/** What the examples name: it exists where the network is simulated, so that they run as they stand. */
async function givenBy(data: PageData, isSimulated: boolean) {
  const [now, online] = await Promise.all([
    data.askPart(getNow),
    isSimulated ? data.askPart(listUsersOnline, {}, { limit: 1 }) : undefined,
  ]);
  const account = isSimulated ? DEMO_ACCOUNT : { email: 'ember@example.org', password: 'PASSWORD' };
  return {
    account: { ...account, rated: online?.users[0]?.username ?? 'EmberFox' },
    titleId: now?.busiestGames[0]?.titleId ?? '4d530064',
  };
}

interface GuideOptions {
  /** The auth service, as browsers reach it. */
  readonly authPublicUrl: string;
  readonly isSimulated: boolean;
}

/** The first steps with the API. */
export function guide({ authPublicUrl, isSimulated }: GuideOptions) {
  return definePage({
    id: 'getGuidePage',
    path: links.guide,
    params: z.object({}),
    query: z.object({ language: oneOf(languages).default('all') }),
    style: 'guide',
    asks: [getNow, listUsersOnline],
    view: async ({ query: { language } }, data) => {
      const given = await givenBy(data, isSimulated);
      const steps = STEPS.map((step) => step(guideApi(data.siteUrl, authPublicUrl, given)));
      return {
        title: 'Guide to the API',
        description:
          'First requests, pages, times, caching, the live stream, signing in, webhooks and errors: in curl, JavaScript and Python.',
        path: links.guide,
        content: html`<div class="head">
            <h1>Guide to the API</h1>
            <p><a href="${links.docs}">All operations</a></p>
          </div>
          ${languageChoices(language)} ${tableOfContents(steps)}
          ${steps.map((step) => section(step.id, step.heading, stepContent(step, language)))}`,
      };
    },
  });
}

function languageChoices(current: Language): Html {
  return choices(
    'Language of the examples',
    languages.map((language) => ({
      text: LANGUAGES[language].text,
      href: language === 'all' ? links.guide : `${links.guide}?language=${language}`,
      isCurrent: language === current,
    })),
  );
}

function tableOfContents(steps: readonly Step[]): Html {
  return html`<nav aria-label="Contents">
    <ol class="contents">
      ${steps.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li> `)}
    </ol>
  </nav>`;
}

function stepContent({ heading, text, code }: Step, language: Language): Html {
  return html`<div class="prose">${text}</div>
    ${LANGUAGES[language].shown.map(
      (name) =>
        html`<figure class="code">
          <figcaption>${codeNames[name]}</figcaption>
          <pre tabindex="0" role="region" aria-label="${heading}: ${codeNames[name]}"><code>${code[name]}</code></pre>
        </figure>`,
    )}`;
}
