/** A change of the repository as a contributor would commit it. */
export interface ExampleCommit {
  readonly name: string;
  readonly maxFiles: number;
  /** The text of new files, and for others texts that occur once with their replacements. */
  readonly files: Readonly<Record<string, string | readonly (readonly [text: string, replacement: string])[]>>;
  /** Responses that `npm run examples:capture` would write. */
  readonly captured?: Readonly<Record<string, unknown>>;
}

const changelog = (text: string) => [['### Added\n', `### Added\n\n- ${text}`]] as const;

const route: ExampleCommit = {
  name: 'a route on existing data',
  maxFiles: 7,
  files: {
    'packages/contracts/src/operations/games.ts': [
      [
        '/** Titles of one response of `listTitles`. */',
        `export const listPublishers = operation({
  ...publicGet,
  id: 'listPublishers',
  summary: 'Publishers with the number of their games, by name',
  path: '/api/publishers',
  upstream: 'catalog-api',
  params: none,
  query: none,
  response: z.strictObject({
    publishers: z.array(z.strictObject({ publisher: z.string(), games: z.int().positive() })),
  }),
  tags: [tags.titles],
});

/** Titles of one response of \`listTitles\`. */`,
      ],
    ],
    'packages/contracts/src/operations/index.ts': [
      ['{ getGame, listGames, listTitles }', '{ getGame, listGames, listPublishers, listTitles }'],
      ['  listGames,\n', '  listGames,\n  listPublishers,\n'],
    ],
    'services/catalog-api/src/titles/title-view.ts': [
      [
        '  /** Titles by their name, full title or title ID. */',
        `  publishers(): { publisher: string; games: number }[] {
    const games = new Map<string, number>();
    for (const { title } of this.#byName()) games.set(title.publisher, (games.get(title.publisher) ?? 0) + 1);
    return Array.from(games, ([publisher, count]) => ({ publisher, games: count })).sort((one, other) =>
      compareCodePoints(one.publisher, other.publisher),
    );
  }

  /** Titles by their name, full title or title ID. */`,
      ],
    ],
    'services/catalog-api/src/titles/game.routes.ts': [
      [
        '    route(operations.listTitles,',
        `    route(operations.listPublishers, async () => ({ body: { publishers: (await catalog.view()).publishers() } })),

    route(operations.listTitles,`,
      ],
    ],
    'services/catalog-api/test/example-route.api.test.ts': `import { operations } from '@lobbystats/contracts';
import { runCatalog } from './running-catalog.ts';

it('counts the games of each publisher, by name', async () => {
  const catalog = await runCatalog();
  await catalog.observeHome({
    '00000001': { name: 'Rally', publisher: 'Northlight' },
    '00000002': { name: 'Chess', publisher: 'Fernmoor' },
    '00000003': { name: 'Harbor', publisher: 'Northlight' },
  });
  const { body } = await catalog.get(operations.listPublishers.path);
  expect(body).toEqual({ publishers: [{ publisher: 'Fernmoor', games: 1 }, { publisher: 'Northlight', games: 2 }] });
  await catalog.stop();
});
`,
    'CHANGELOG.md': changelog('`GET /api/publishers`: publishers with the number of their games.'),
  },
  captured: { listPublishers: { publishers: [{ publisher: 'Northlight', games: 2 }] } },
};

const parameter: ExampleCommit = {
  name: 'a query parameter',
  maxFiles: 4,
  files: {
    'packages/contracts/src/operations/games.ts': [
      [
        '    limit: integer({ min: 1, max: 1000 }).default(1000),',
        `    publisher: z
      .string({ error: 'must be given once' })
      .max(100, 'must be at most 100 characters')
      .optional()
      .meta({ description: 'Games of this publisher alone' }),
    limit: integer({ min: 1, max: 1000 }).default(1000),`,
      ],
    ],
    'services/catalog-api/src/titles/title-view.ts': [
      ['find({ q, limit, offset }', 'find({ q, publisher, limit, offset }'],
      [
        '    const literal = nameKey(q);\n',
        `    const titles = this.#byName().filter(({ title }) => (publisher ?? title.publisher) === title.publisher);
    const literal = nameKey(q);
`,
      ],
      ['        ? this.#byName()\n        : this.#byName().filter(', '        ? titles\n        : titles.filter('],
    ],
    'services/catalog-api/test/example-parameter.api.test.ts': `import { operations } from '@lobbystats/contracts';
import { runCatalog } from './running-catalog.ts';

it('lists the games of one publisher', async () => {
  const catalog = await runCatalog();
  await catalog.observeHome({
    '00000001': { name: 'Rally', publisher: 'Northlight' },
    '00000002': { name: 'Chess', publisher: 'Fernmoor' },
  });
  const { body } = await catalog.get(\`\${operations.listGames.path}?publisher=Fernmoor\`);
  expect(body).toMatchObject({ total: 1, games: [{ name: 'Chess' }] });
  const tooLong = await catalog.get(\`\${operations.listGames.path}?publisher=\${'x'.repeat(101)}\`);
  expect(tooLong.status).toBe(400);
  await catalog.stop();
});
`,
    'CHANGELOG.md': changelog('`publisher` of `GET /api/games`.'),
  },
};

const message: ExampleCommit = {
  name: 'a message',
  maxFiles: 6,
  files: {
    'packages/contracts/src/messages/facts.ts': [
      [
        'export const titleStored =',
        `export const titleRetired = messageType({
  key: 'title.retired',
  exchange: 'facts',
  summary: 'A title that the network does not list any more.',
  producer: 'catalog-api',
  consumers: ['series-api'],
  data: z.strictObject({ revision: z.int().positive(), titleId }),
  example: { revision: 12, titleId: '4d530064' },
  tags: (data) => [tags.title(data.titleId)],
});

export const titleStored =`,
      ],
    ],
    'packages/contracts/src/messages/index.ts': [
      ['slotStored, titleStored }', 'slotStored, titleRetired, titleStored }'],
      ['  titleStored,\n', '  titleRetired,\n  titleStored,\n'],
    ],
    'services/catalog-api/src/facts/catalog-facts.ts': [
      ['  titleStored,\n', '  titleRetired,\n  titleStored,\n'],
      [
        '  return { facts, revision: firstRevision + Math.max(facts.length - 1, 0) };',
        `  const gone = createFacts(
    titleRetired,
    retired.map((titleId) => ({ revision: firstRevision, titleId })),
    { origin, revision: firstRevision, occurredAt, past },
  );
  return { facts: [...facts, ...gone], revision: firstRevision + Math.max(facts.length - 1, 0) };`,
      ],
    ],
    'services/series-api/src/snapshots/consume-messages.bus.ts': [
      ['  titleStored,\n', '  titleRetired,\n  titleStored,\n'],
      [
        '  return bus.consume({\n',
        `  const retirements = handle(titleRetired, ({ data: { revision, titleId } }) =>
    store.putTitleNames(revision, [{ titleId, name: '' }]),
  );
  return bus.consume({
`,
      ],
      ['[slots, registered, titles]', '[slots, registered, titles, retirements]'],
    ],
    'services/series-api/test/example-message.api.test.ts': `import { operations, titleRetired } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/service-kit/bus';
import { HARBOR, NOW } from './observations.ts';
import { runSeries } from './running-series.ts';

it('a retired title loses its name, however often the message comes', async () => {
  const bus = await openBus({ url: 'memory:', origin: 'simulated' });
  const series = await runSeries({ bus });
  await series.observe({ [NOW]: { titles: { [HARBOR]: { online: 4 } } } });
  await series.name(1, { [HARBOR]: 'Harbor Racing' });
  for (const revision of [2, 2]) await bus.publish(titleRetired, { revision, titleId: HARBOR });
  await series.name(3, {});
  const { body } = await series.get(operations.getRanking.path);
  expect(JSON.stringify(body)).not.toContain('Harbor Racing');
  await series.stop();
});
`,
    'CHANGELOG.md': changelog('The fact `title.retired`.'),
  },
};

export const exampleCommits: readonly ExampleCommit[] = [route, parameter, message];
