import { catalogPart } from './catalog-part.ts';
import { collectorPart } from './collector-part.ts';
import type { Part } from './part.ts';
import { stackPart } from './stack-part.ts';
import { seriesPart } from './series-part.ts';
import { usersPart } from './users-part.ts';

export const parts = {
  collector: collectorPart,
  series: seriesPart,
  catalog: catalogPart,
  users: usersPart,
  stack: stackPart,
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
