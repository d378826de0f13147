import { OPENAPI_PATH, RATE_LIMITS } from '../index.ts';
import type { PathItem } from './document-types.ts';
import { headersOf, reference } from './responses.ts';

export const overview = `Community statistics of an online console gaming network: who plays what, leaderboards and their changes, matches, events,
profiles, achievements and ratings. Reading needs no account. ${RATE_LIMITS}

**Time** is UTC everywhere: \`YYYY-MM-DD HH:MM:SS\` and \`YYYY-MM-DD\`. Series are ascending; feeds and histories are newest first. "The
last N hours" is \`(now - N, now]\`. Counts are taken every five minutes and bear the time of their slot. In queries \`from\` is
inclusive, \`to\` and \`since\` are exclusive; a time may also be written \`2026-01-31T18:05:00Z\`. With \`time=iso\` every
timestamp of an answer has that form too, in JSON, CSV and NDJSON; days stay days. The calendars, the feeds and the live stream do not take it, nor do
searches, which have no timestamps and whose \`time\` is the one searched for.

**Games** have a title ID (8 hexadecimal digits, any case) and a name. What is served under \`/api/title/{titleId}\` is served
under \`/api/game/{game}\` with the same bytes, where \`game\` is the name, percent-encoded, in any case, or a title ID where no game has that name. \`/api/game/{game}/matches\` alone
takes \`game\` as a title ID first.

**Errors** are \`{"error": "…"}\` and nothing else, on every status and from every layer. Beside those that stand with each operation:
404 for a route that does not exist, 405 with \`Allow\` for a method that a route does not have, and what HTTP itself refuses (400, 408,
414, 417, 431). Integers are decimal digits within their bounds; nothing is clamped. Unknown query parameters are ignored.

**Caching**: every GET has a strong \`ETag\` and answers \`If-None-Match\` with 304. \`Cache-Control\` says how long an answer stays true: what changes
with a slot alone has a \`max-age\` until the next one is due, all else has \`max-age=0, must-revalidate\`, so that whoever reads again after an
event of the live stream gets that event. While a slot is late its predecessor has \`max-age=5\`. gzip and br are spoken. HEAD works wherever GET does.

**From a browser**: any origin may ask, never with credentials. The session key goes into a header, never into a cookie. It is
issued by the auth service, for which \`/service-auth.js\` is the SDK. A write may succeed for up to 10 seconds after the session has ended: so long
a verified key is not verified again.

**Compatibility**: answers may gain fields and named sets may gain values; nothing is removed or changes its meaning. Clients ignore
what they do not know.

**Examples** are real answers of a system on the simulated network; long lists in them are shortened.`;

export const selfDescription: Readonly<Record<string, PathItem>> = {
  [OPENAPI_PATH]: {
    get: {
      operationId: 'getOpenApiDocument',
      summary: 'This document',
      description:
        'The whole API as OpenAPI 3.1, made from the schemas by which requests are validated. `/docs` shows it to people.',
      tags: ['About'],
      responses: {
        '200': {
          description: 'The document',
          headers: headersOf('ETag', 'Cache-Control', 'Vary'),
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        '304': {
          description: 'What the caller has is still true (`If-None-Match`)',
          headers: headersOf('ETag', 'Cache-Control', 'Vary'),
        },
        '414': reference('UriTooLong'),
      },
    },
  },
};
