import type { Definition, Definitions, Rule } from './definitions.ts';

export interface BoundedRule {
  readonly definition: Definition;
  readonly bound: number;
}

export interface RuleIndex {
  readonly playMinutes: readonly BoundedRule[];
  readonly playMinutesInTitle: ReadonlyMap<string, readonly BoundedRule[]>;
  readonly titlesPlayed: readonly BoundedRule[];
  readonly rank: readonly BoundedRule[];
  readonly rankInTitle: ReadonlyMap<string, readonly BoundedRule[]>;
  readonly leaderboardsOn: readonly BoundedRule[];
  readonly ratingsGiven: readonly BoundedRule[];
  readonly sessionsHosted: readonly BoundedRule[];
}

const indexes = new WeakMap<Definitions, RuleIndex>();

export function ruleIndex(definitions: Definitions): RuleIndex {
  const known = indexes.get(definitions);
  if (known !== undefined) return known;
  const index = makeIndex(definitions.all);
  indexes.set(definitions, index);
  return index;
}

function makeIndex(all: readonly Definition[]): RuleIndex {
  const ofKind = <Kind extends Rule['kind']>(kind: Kind, bound: (rule: Extract<Rule, { kind: Kind }>) => number) =>
    all.flatMap((definition): BoundedRule[] =>
      isOfKind(definition.rule, kind) ? [{ definition, bound: bound(definition.rule) }] : [],
    );
  const ranks = ofKind('leaderboard-rank', ({ rank }) => rank);
  return {
    playMinutes: ofKind('play-minutes', ({ minutes }) => minutes).sort(lowestFirst),
    playMinutesInTitle: byTitle(
      ofKind('play-minutes-in-title', ({ minutes }) => minutes),
      lowestFirst,
    ),
    titlesPlayed: ofKind('titles-played', ({ count }) => count).sort(lowestFirst),
    rank: ranks.filter(({ definition }) => titleOf(definition) === undefined).sort(highestFirst),
    rankInTitle: byTitle(ranks, highestFirst),
    leaderboardsOn: ofKind('leaderboards-on', ({ count }) => count).sort(lowestFirst),
    ratingsGiven: ofKind('ratings-given', ({ count }) => count).sort(lowestFirst),
    sessionsHosted: ofKind('sessions-hosted', ({ count }) => count).sort(lowestFirst),
  };
}

function byTitle(
  rules: readonly BoundedRule[],
  order: (a: BoundedRule, b: BoundedRule) => number,
): Map<string, BoundedRule[]> {
  const found = new Map<string, BoundedRule[]>();
  for (const rule of rules.toSorted(order)) {
    const titleId = titleOf(rule.definition);
    if (titleId === undefined) continue;
    const ofTitle = found.get(titleId);
    if (ofTitle === undefined) found.set(titleId, [rule]);
    else ofTitle.push(rule);
  }
  return found;
}

function titleOf({ rule }: Definition): string | undefined {
  return 'titleId' in rule ? rule.titleId : undefined;
}

function isOfKind<Kind extends Rule['kind']>(rule: Rule, kind: Kind): rule is Extract<Rule, { kind: Kind }> {
  return rule.kind === kind;
}

function lowestFirst(a: BoundedRule, b: BoundedRule): number {
  return a.bound - b.bound;
}

function highestFirst(a: BoundedRule, b: BoundedRule): number {
  return b.bound - a.bound;
}
