import { catalogPart } from './catalog-part.ts';
import { collectorPart } from './collector-part.ts';
import type { Part } from './part.ts';
import { seriesPart } from './series-part.ts';

export const parts = { collector: collectorPart, series: seriesPart, catalog: catalogPart } satisfies Record<
  string,
  Part
>;

export type PartName = keyof typeof parts;
