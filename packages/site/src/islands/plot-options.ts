import uPlot from 'uplot';
import { axisEnd, cellBegin, cellCount, hasTimeOfDay, type Cells, type PlotData } from '../plots/plot-data.ts';
import { formatValue } from '../plots/plot-texts.ts';
import { WHOLE_STEPS, yRange } from '../plots/plot-shape.ts';
import { UTC, type Zone } from '../dates.ts';
import { chosenZone } from './local-time.ts';
import { columnsOf, type Column } from './plot-columns.ts';
import { shownPart, type Zoom } from './plot-zoom.ts';

/** Size, axes and colors of a plot. Days are UTC; times are of the chosen zone. @param current the data that is drawn, which may be replaced */
export function plotOptions(current: () => PlotData, canvas: HTMLElement, zoom: Zoom): uPlot.Options {
  const data = current();
  const columns = columnsOf(data);
  const color = resolveColors(canvas);
  const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  const isTime = data.cells.unit !== 'bin';
  const zone = hasTimeOfDay(data.cells) ? chosenZone() : UTC;
  // Bounds have no points, and steps have none in their middle.
  const isPoint = ({ kind }: Column) => kind !== 'low' && kind !== 'high' && data.kind !== 'steps';
  return {
    width: canvas.clientWidth,
    height: canvas.clientHeight,
    ...(isTime && {
      tzDate: (seconds: number) =>
        zone === UTC ? uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000),
    }),
    ms: 1e-3,
    legend: { show: false },
    cursor: {
      y: false,
      // A tap or a click is no drag.
      drag: { x: true, y: false, setScale: false, dist: 8 },
      points: { size: (_plot, index) => (columns.slice(index - 1, index).some(isPoint) ? 7 : 0) },
    },
    padding: [8, 24, 0, 0],
    scales: {
      x: { time: isTime, range: () => [...(zoom.shown ?? [current().cells.from, axisEnd(current())])] },
      y: { dir: data.y === 'rank' ? -1 : 1, range: () => [...yRange(shownPart(current(), zoom))] },
    },
    axes: [
      { ...axis, space: 70, size: 26, ...(isTime ? { values: timeLabels(zone) } : binLabels(() => current().cells)) },
      {
        ...axis,
        // About 7 px a digit. There are no labels at first.
        size: (_plot, labels: string[] | null) => 16 + 7 * Math.max(3, ...(labels ?? []).map(({ length }) => length)),
        space: 34,
        incrs: [...WHOLE_STEPS],
        values: (_plot, ticks) => ticks.map((tick) => formatValue(tick, data.values)),
      },
    ],
    hooks: { drawClear: [(plot) => drawFlags(plot, current(), color), (plot) => drawExpected(plot, current(), color)] },
    series: [{}, ...columns.map((column) => seriesOptions(column, data, color(`--series-${column.series + 1}`)))],
    bands: columns.flatMap(({ kind, series }, index) =>
      kind === 'high' ? [{ series: [index + 1, index], fill: shade(color(`--series-${series + 1}`), 22) }] : [],
    ),
  };
}

const FLAG_COLORS = { event: '--series-2', record: '--series-4', outage: '--series-5' } as const;

/** Behind the lines. */
function drawFlags(plot: uPlot, { flags = [] }: PlotData, color: (name: string) => string): void {
  const { ctx, bbox } = plot;
  const position = (at: number) => Math.min(Math.max(plot.valToPos(at, 'x', true), bbox.left), bbox.left + bbox.width);
  for (const { kind, at, until = at } of flags) {
    const [left, right] = [position(at), position(until)];
    if (left === right && (left === bbox.left || left === bbox.left + bbox.width)) continue;
    ctx.save();
    ctx.globalAlpha = 0.3;
    ctx.fillStyle = color(FLAG_COLORS[kind]);
    ctx.fillRect(left, bbox.top, Math.max(2 * devicePixelRatio, right - left), bbox.height);
    // A head, so that a narrow mark is seen.
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc((left + right) / 2, bbox.top + 4 * devicePixelRatio, 3.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.restore();
  }
}

/** Draws the usual values after the newest one: a dashed line, and the band up to the most. */
function drawExpected(plot: uPlot, { expected }: PlotData, color: (name: string) => string): void {
  if (expected === undefined) return;
  const { ctx, bbox } = plot;
  const line = expected.points.map(
    ([at, usual]) => [plot.valToPos(at, 'x', true), plot.valToPos(usual, 'y', true)] as const,
  );
  const most = expected.points.map(
    ([at, , value]) => [plot.valToPos(at, 'x', true), plot.valToPos(value, 'y', true)] as const,
  );
  const trace = (points: readonly (readonly [number, number])[]) => {
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y);
  };
  ctx.save();
  // A zoomed plot shows a part.
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = shade(color('--warm'), 20);
  trace([...line, ...most.toReversed()]);
  ctx.fill();
  ctx.strokeStyle = color('--warm');
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  trace(line);
  ctx.stroke();
  ctx.restore();
}

/** A canvas needs colors; custom properties have expressions such as `light-dark(…)`. */
function resolveColors(canvas: HTMLElement): (name: string) => string {
  const probe = canvas.appendChild(document.createElement('span'));
  return (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
}

function shade(color: string, percent: number): string {
  return `color-mix(in srgb, ${color} ${percent}%, transparent)`;
}

function seriesOptions(
  { kind: column, series }: Column,
  { kind, y, series: all }: PlotData,
  stroke: string,
): uPlot.Series {
  if (column === 'low' || column === 'high') return { width: 0, points: { show: false } };
  const isFilled = y !== 'fit' && (all.length === 1 || kind === 'bars') && all[series]?.bounds === undefined;
  const isOpen = column === 'unfinished';
  const paths = pathsOf(kind);
  return {
    label: all[series]?.label ?? '',
    stroke,
    width: kind === 'bars' && !isOpen ? 0 : 1.75,
    spanGaps: false,
    points: { show: kind === 'line', size: 4, fill: stroke, filter: kind === 'line' ? isolatedPoints : () => null },
    ...(isOpen && { dash: [4, 4] }),
    ...(paths !== undefined && { paths }),
    ...(isFilled && !(isOpen && kind === 'line') && { fill: shade(stroke, kind !== 'bars' ? 16 : isOpen ? 20 : 55) }),
    // Ranks grow downwards: the area is below the line all the same.
    ...(y === 'rank' && { fillTo: (_plot, _index, _min, max) => max }),
  };
}

function pathsOf(kind: PlotData['kind']): uPlot.Series.PathBuilder | undefined {
  if (kind === 'bars') return uPlot.paths.bars?.({ size: [0.92] });
  return kind === 'steps' ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
}

/** A value between two gaps has no line. */
function isolatedPoints(plot: uPlot, index: number): number[] | null {
  const values = plot.data[index] ?? [];
  return [...values.keys()].filter((at) => isKnown(values[at]) && !isKnown(values[at - 1]) && !isKnown(values[at + 1]));
}

function isKnown(value: number | null | undefined): boolean {
  return value !== null && value !== undefined;
}

/** Labels as many edges of bins as fit. */
function binLabels(current: () => Cells): Partial<uPlot.Axis> {
  const edgesOf = (cells: Cells) => Array.from({ length: cellCount(cells) + 1 }, (_, index) => cellBegin(cells, index));
  return {
    splits: (plot) => {
      const edges = edgesOf(current());
      const distance = Math.max(1, Math.ceil(edges.length / Math.max(1, plot.width / LABEL_WIDTH)));
      return edges.filter((_edge, index) => index % distance === 0);
    },
    values: (_plot, ticks) => {
      const texts = new Map(edgesOf(current()).map((edge, index) => [edge, current().edges?.[index] ?? '']));
      return ticks.map((tick) => texts.get(tick) ?? '');
    },
  };
}

/** In pixels. */
const LABEL_WIDTH = 90;
const DAY_SECONDS = 86_400;
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** Times within days, dates within months, then months: `12:00`, `Jan 31`, `Jan ’26`. */
function timeLabels({ offset }: Zone) {
  return (plot: uPlot, ticks: number[]): string[] => {
    const distance = (ticks[1] ?? 0) - (ticks[0] ?? 0);
    // The end of the period is another day, which it does not contain.
    const end = plot.scales['x']?.max ?? Infinity;
    return ticks.map((tick) => {
      if (tick >= end) return '';
      const shown = tick + offset(tick * 1000) / 1000;
      const instant = new Date(shown * 1000);
      if (distance >= 27 * DAY_SECONDS) return `${month.format(instant)} ’${instant.toISOString().slice(2, 4)}`;
      return distance >= DAY_SECONDS || shown % DAY_SECONDS === 0 ? date.format(instant) : clock.format(instant);
    });
  };
}
