import uPlot from 'uplot';
import type { Bins, PlotData } from '../plot-data.ts';

const values = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** At most two decimals. */
export function formatValue(value: number): string {
  return values.format(value);
}

const WHOLE_STEPS = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1000, 10_000].map((factor) => step * factor))
  .sort((a, b) => a - b);

/** Size, axes and colors of a plot. Times are UTC. */
export function plotOptions(data: PlotData, canvas: HTMLElement): uPlot.Options {
  const color = resolveColors(canvas);
  const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  const isTime = data.axis === 'time';
  return {
    width: canvas.clientWidth,
    height: canvas.clientHeight,
    ...(isTime && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    ms: 1e-3,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    padding: [8, 24, 0, 0],
    scales: {
      x: { time: isTime, ...(data.bins !== undefined && { range: binRange(data.bins) }) },
      y: { dir: data.isInverted === true ? -1 : 1, range: (_plot, min, max) => rangeOf(data, min, max) },
    },
    axes: [
      { ...axis, space: 70, size: 26, ...(isTime && { values: timeLabels }), ...binLabels(data) },
      {
        ...axis,
        size: 48,
        space: 34,
        // Ranks have no fractions.
        ...(data.isInverted === true && { incrs: WHOLE_STEPS }),
        values: (_plot, ticks) => ticks.map(formatValue),
      },
    ],
    series: [{}, ...data.series.map(({ label }, index) => seriesOptions(label, data, color(`--series-${index + 1}`)))],
  };
}

/** A canvas needs colors; custom properties have expressions such as `light-dark(…)`. */
function resolveColors(canvas: HTMLElement): (name: string) => string {
  const probe = canvas.appendChild(document.createElement('span'));
  return (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
}

function rangeOf({ isInverted = false }: PlotData, min: number, max: number): [number, number] {
  if (isInverted) return [Math.max(0, min - 1), max + 1];
  return [Math.min(0, min), Math.max(max * 1.05, 1)];
}

function seriesOptions(label: string, { kind, series, bins }: PlotData, stroke: string): uPlot.Series {
  const paths = pathsOf(kind, bins !== undefined);
  return {
    label,
    stroke,
    width: 1.75,
    spanGaps: false,
    points: { show: false },
    ...(paths !== undefined && { paths }),
    ...((series.length === 1 || kind === 'bars') && { fill: `color-mix(in srgb, ${stroke} 16%, transparent)` }),
  };
}

function pathsOf(kind: PlotData['kind'], hasBins: boolean): uPlot.Series.PathBuilder | undefined {
  if (hasBins) return uPlot.paths.bars?.({ size: [0.95], align: 1 });
  if (kind === 'bars') return uPlot.paths.bars?.({ size: [0.8, 60] });
  return kind === 'steps' ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
}

/** The last bin is inside the plot. */
function binRange({ width }: Bins): uPlot.Scale.Range {
  return (_plot, min, max) => [min, max + width];
}

/** Labels as many edges as fit. */
function binLabels({ bins, xs }: PlotData): Partial<uPlot.Axis> {
  if (bins === undefined) return {};
  const texts = new Map(xs.map((x, index) => [x, bins.edges[index] ?? '']));
  return {
    splits: (plot) => {
      const distance = Math.max(1, Math.ceil(xs.length / Math.max(1, plot.width / LABEL_WIDTH)));
      return xs.filter((_x, index) => index % distance === 0);
    },
    values: (_plot, ticks) => ticks.map((tick) => texts.get(tick) ?? ''),
  };
}

/** In pixels. */
const LABEL_WIDTH = 90;
const DAY_SECONDS = 86_400;
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en', { month: 'short', year: '2-digit', timeZone: 'UTC' });

/** Times within days, dates within months, then months. */
function timeLabels(_plot: uPlot, ticks: number[]): string[] {
  const distance = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  return ticks.map((tick) => {
    const instant = new Date(tick * 1000);
    if (distance >= 27 * DAY_SECONDS) return month.format(instant);
    return distance >= DAY_SECONDS || tick % DAY_SECONDS === 0 ? date.format(instant) : clock.format(instant);
  });
}
