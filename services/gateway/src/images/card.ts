import {
  cellBegin,
  cellCount,
  hasValues,
  type PlotData,
  formatCount,
  plotShapes,
  type PlotArea,
  instantText,
  UTC,
} from '@lobbystats/site';
import { xml, type Xml } from '../feeds/xml.ts';
import { fitText, REGULAR_TO_BOLD, type TextBox } from './fit-text.ts';
import { parseInstant } from '@lobbystats/contracts';

/** The size that Open Graph consumers expect, in pixels. */
const CARD = { width: 1200, height: 630 } as const;

/** Beside title and subtitle, in pixels. */
export const PICTURE = { x: 60, y: 146, size: 112 } as const;

export interface Card {
  /** In the place of {@link PICTURE}. */
  readonly picture?: Xml;
  readonly title: string;
  readonly subtitle: string;
  readonly figures: readonly Figure[];
  readonly content: Xml | false;
  /** Beside the site's name, such as a note that the data is simulated. */
  readonly note: string;
  /** When its data was true, a timestamp or instant: readers may see the image days later. Null: there is no data yet. */
  readonly asOf: string | null;
}

export interface Figure {
  readonly label: string;
  readonly value: string;
}

const MARGIN = PICTURE.x;
const INNER_WIDTH = CARD.width - 2 * MARGIN;
const COLORS = { page: '#12171a', text: '#e6ebed', muted: '#9caab1', accent: '#64bed4', brand: '#0f5f73' } as const;
const FONT = 'DejaVu Sans';

/** An SVG document. Texts are escaped, and truncated where they would not fit. */
export function cardSvg({ picture, title, subtitle, figures, content, note, asOf }: Card): string {
  const titleX = picture === undefined ? MARGIN : PICTURE.x + PICTURE.size + 28;
  const titleWidth = CARD.width - MARGIN - titleX;
  const figureWidth = Math.floor(INNER_WIDTH / Math.max(figures.length, 3));
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}" viewBox="0 0 ${CARD.width} ${CARD.height}" font-family="${FONT}">
<rect width="${CARD.width}" height="${CARD.height}" fill="${COLORS.page}"/>
${brand()}
${line(note, { y: 84, align: 'end', color: COLORS.muted, box: { width: 500, sizeMax: 24, sizeMin: 20 } })}
${asOf !== null && line(`As of ${instantText(parseInstant(asOf) * 1000, UTC)}`, { y: 120, align: 'end', color: COLORS.muted, box: { width: 500, sizeMax: 24, sizeMin: 20 } })}
${picture}
${line(title, { x: titleX, y: 200, color: COLORS.text, isBold: true, box: { width: titleWidth, sizeMax: 72, sizeMin: 40 } })}
${line(subtitle, { x: titleX, y: 254, color: COLORS.muted, box: { width: titleWidth, sizeMax: 32, sizeMin: 26 } })}
${figures.map(({ label, value }, index) => {
  const x = MARGIN + index * figureWidth;
  const width = figureWidth - 20;
  return xml`${line(value, { x, y: 346, color: COLORS.accent, isBold: true, box: { width, sizeMax: 52, sizeMin: 24 } })}
${line(label, { x, y: 386, color: COLORS.muted, box: { width, sizeMax: 24, sizeMin: 18 } })}`;
})}
${content}
</svg>`.text;
}

/** A plot in the lower part of a card. */
export function plot(data: PlotData): Xml {
  const area = { left: MARGIN, top: 430, width: INNER_WIDTH, height: 130 };
  if (!hasValues(data)) {
    const box = { width: INNER_WIDTH, sizeMax: 28, sizeMin: 28 };
    return line('No counts of the last 24 hours', { y: 500, color: COLORS.muted, box });
  }
  const { cells } = data;
  const edge = (index: number, align: 'start' | 'end') =>
    line(instantText(cellBegin(cells, index) * 1000, UTC), {
      ...{ y: 594, align, color: COLORS.muted },
      box: { width: 400, sizeMax: 20, sizeMin: 20 },
    });
  return xml`${sparkline(data, area, COLORS.accent)}
${edge(0, 'start')}
${edge(cellCount(cells) - 1, 'end')}`;
}

export interface Row {
  readonly rank: number | string;
  readonly name: string;
  readonly rating: string;
}

const ROWS_MAX = 3;
const RANK_WIDTH = 110;
const RATING_WIDTH = 260;

/** Up to three rows in the lower part of a card. @param top y of the first baseline */
export function rows(entries: readonly Row[], top: number): Xml {
  const nameWidth = INNER_WIDTH - RANK_WIDTH - RATING_WIDTH - 20;
  const drawn = entries.slice(0, ROWS_MAX).map(({ rank, name, rating }, index) => {
    const y = top + index * 58;
    const box = { sizeMax: 34, sizeMin: 26 };
    return xml`${line(`#${rank}`, { y, color: COLORS.accent, isBold: true, box: { ...box, width: RANK_WIDTH } })}
${line(name, { x: MARGIN + RANK_WIDTH, y, color: COLORS.text, box: { ...box, width: nameWidth } })}
${line(rating, { y, align: 'end', color: COLORS.text, box: { ...box, width: RATING_WIDTH } })}`;
  });
  return xml`${drawn}`;
}

export function figure(label: string, value: number | null): Figure {
  return { label, value: formatCount(value) };
}

interface LineOptions {
  readonly x?: number;
  /** The baseline. */
  readonly y: number;
  readonly align?: 'start' | 'end';
  readonly color: string;
  readonly isBold?: boolean;
  readonly box: TextBox;
}

/** A line in a clipped box: glyphs that are wider or taller than expected cover nothing else. */
function line(raw: string, { x, y, align = 'start', color, isBold = false, box }: LineOptions): Xml {
  const { text, size } = fitText(raw, { ...box, width: isBold ? box.width : box.width / REGULAR_TO_BOLD });
  const left = x ?? (align === 'start' ? MARGIN : CARD.width - MARGIN - box.width);
  const anchor = align === 'start' ? left : left + box.width;
  return xml`<svg x="${left}" y="${y - size}" width="${box.width}" height="${Math.ceil(size * 1.35)}" overflow="hidden">
<text x="${anchor - left}" y="${size}" font-size="${size}" font-weight="${isBold ? 700 : 400}" text-anchor="${align}" fill="${color}">${text}</text>
</svg>`;
}

function brand(): Xml {
  return xml`<g transform="translate(${MARGIN} 50) scale(2)"><rect width="24" height="24" rx="5" fill="${COLORS.brand}"/><path d="M5 18v-4h3.5v4zM10.25 18V6h3.5v12zM15.5 18v-7H19v7z" fill="#fff"/></g>
<text x="${MARGIN + 64}" y="86" font-size="32" font-weight="700" fill="${COLORS.text}">Lobbystats</text>`;
}

/** Lines over areas. */
function sparkline(data: PlotData, area: PlotArea, color: string): Xml {
  const { left, top, width, height } = area;
  const bottom = top + height;
  const shapes = plotShapes(data, area).map(
    ({
      areas,
      lines,
    }) => xml`${areas.map((points) => xml`<polygon points="${points}" fill="${color}" fill-opacity="0.18"/>`)}
${lines.map((points) => xml`<polyline points="${points}" fill="none" stroke="${color}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>`)}`,
  );
  return xml`<line x1="${left}" y1="${bottom}" x2="${left + width}" y2="${bottom}" stroke="#2d363b" stroke-width="2"/>${shapes}`;
}
