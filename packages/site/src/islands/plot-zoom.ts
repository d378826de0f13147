import type uPlot from 'uplot';
import { axisEnd, cellAt, cellCount, type PlotData } from '../plots/plot-data.ts';

/** Part of the x axis that is shown. */
type Shown = readonly [from: number, until: number];

/** Which part of an axis is shown; undefined: all of it. */
export interface Zoom {
  shown: Shown | undefined;
}

/** The cells that are shown at least in part. */
export function shownPart(data: PlotData, { shown }: Zoom): PlotData {
  if (shown === undefined) return data;
  // After the last cell there is only what is expected.
  const [first, last] = shown.map((x) => cellAt(data.cells, x) ?? cellCount(data.cells) - 1) as [number, number];
  const part = (values: readonly (number | null)[]) => values.slice(first, last + 1);
  return {
    ...data,
    series: data.series.map(({ values, bounds, ...series }) => ({
      ...series,
      values: part(values),
      ...(bounds !== undefined && { bounds: { low: part(bounds.low), high: part(bounds.high) } }),
    })),
  };
}

/** Cells that a plot shows at least. */
const CELLS_MIN = 4;
/** The keys zoom by this factor. */
const STEP = 2;

export interface ZoomedPlot {
  readonly canvas: HTMLElement;
  readonly plot: uPlot;
  readonly zoom: Zoom;
  readonly current: () => PlotData;
  /** Takes the keys. */
  readonly slider: HTMLInputElement;
  /** Where the keys zoom. */
  readonly keyX: () => number;
}

/**
 * A drag, two fingers, and the keys + and − show a part of the x axis; a double click, the key 0 and the button all of it.
 *
 * @returns what shows all of it
 */
export function attachZoom({ canvas, plot, zoom, current, slider, keyX }: ZoomedPlot): () => void {
  const reset = document.createElement('button');
  reset.type = 'button';
  reset.className = 'reset';
  reset.textContent = 'Whole period';
  const show = (shown: Shown | undefined) => {
    zoom.shown = shown === undefined ? undefined : within(shown, current());
    reset.hidden = zoom.shown === undefined;
    const [min, max] = zoom.shown ?? [current().cells.from, axisEnd(current())];
    plot.setScale('x', { min, max });
  };
  const zoomAt = (x: number, factor: number) => {
    const [min, max] = zoom.shown ?? [current().cells.from, axisEnd(current())];
    show([x - (x - min) / factor, x + (max - x) / factor]);
  };
  (plot.hooks.setSelect ??= []).push(() => {
    const { left, width } = plot.select;
    if (width <= 0) return;
    show([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]);
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  });
  plot.over.addEventListener('dblclick', () => show(undefined));
  reset.addEventListener('click', () => {
    show(undefined);
    slider.focus();
  });
  slider.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    if (ctrlKey || metaKey) return;
    if (key === '+') zoomAt(keyX(), STEP);
    if (key === '-') zoomAt(keyX(), 1 / STEP);
    if (key === '0') show(undefined);
  });
  followPinch(plot, zoomAt);
  reset.hidden = zoom.shown === undefined;
  canvas.append(reset);
  return () => show(undefined);
}

/** Within the axis, and not closer than a few cells. The whole axis is undefined. */
function within([min, max]: Shown, data: PlotData): Shown | undefined {
  const { from, begins } = data.cells;
  const until = axisEnd(data);
  const cell = typeof begins === 'number' ? begins : (until - from) / Math.max(1, begins.length * 4);
  const span = Math.max(max - min, Math.min(CELLS_MIN * cell, until - from));
  if (span >= until - from) return undefined;
  const begin = Math.min(Math.max((min + max - span) / 2, from), until - span);
  return [begin, begin + span];
}

/** The point between two fingers stays where it is. */
function followPinch(plot: uPlot, zoomAt: (x: number, factor: number) => void): void {
  const touches = new Map<number, number>();
  const distance = () => {
    const [a = 0, b = 0] = touches.values();
    return Math.max(1, Math.abs(a - b));
  };
  const forget = ({ pointerId }: PointerEvent) => touches.delete(pointerId);
  plot.over.addEventListener('pointerdown', ({ pointerType, pointerId, clientX }) => {
    if (pointerType === 'touch') touches.set(pointerId, clientX);
  });
  plot.over.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (!touches.has(pointerId)) return;
    const before = distance();
    touches.set(pointerId, clientX);
    if (touches.size !== 2) return;
    const [a = 0, b = 0] = touches.values();
    const middle = (a + b) / 2 - plot.over.getBoundingClientRect().left;
    zoomAt(plot.posToVal(middle, 'x'), distance() / before);
  });
  for (const type of ['pointerup', 'pointercancel'] as const) plot.over.addEventListener(type, forget);
}
