import type uPlot from 'uplot';
import { cellAt, cellCount, cellX, newestCell, type PlotData } from '../plots/plot-data.ts';
import { chosenZone } from './local-time.ts';
import { attachZoom, type Zoom } from './plot-zoom.ts';
import { describeCell, expectedText } from '../plots/plot-texts.ts';

export interface Readout {
  /** Shows the value that is under the crosshair now, and keeps the time that the keyboard has chosen. */
  dataReplaced(before: PlotData): void;
}

/** Lets mouse, touch and keyboard choose a cell, whose values stand above the plot and are read by screen readers. */
export function attachReadout(
  canvas: HTMLElement,
  plot: uPlot,
  zoom: Zoom,
  current: () => PlotData,
  caption: string,
): Readout {
  const readout = document.createElement('p');
  readout.className = 'readout';
  const slider = document.createElement('input');
  slider.type = 'range';
  slider.min = '0';
  slider.setAttribute('aria-label', `Point in: ${caption}`);
  const fitSlider = (index: number) => {
    slider.max = String(cellCount(current().cells) - 1);
    slider.value = String(index);
    slider.setAttribute('aria-valuetext', describeCell(current(), index, chosenZone()).join(' · '));
  };
  const moveTo = (index: number) => {
    const x = cellX(current().cells, index);
    if (zoom.shown !== undefined && (x < zoom.shown[0] || x > zoom.shown[1])) showAll();
    const left = plot.valToPos(x, 'x');
    plot.setCursor({ left, top: 0 });
    // The position is rounded: it may be in the cell before.
    show(readout, current(), index);
  };
  const hide = () => plot.setCursor({ left: -10, top: -10 });
  const showCursor = () => {
    const { left = -1 } = plot.cursor;
    const x = plot.posToVal(left, 'x');
    show(readout, current(), left < 0 ? null : cellAt(current().cells, x), expectedText(current(), x));
  };
  (plot.hooks.setCursor ??= []).push(showCursor);
  slider.addEventListener('input', () => {
    fitSlider(Number(slider.value));
    moveTo(Number(slider.value));
  });
  // Keys that leave the value as it is send no input: those of the newest point, or of the only one.
  slider.addEventListener('focus', () => moveTo(Number(slider.value)));
  slider.addEventListener('blur', hide);
  followTouch(plot);
  fitSlider(newestCell(current()));
  showCursor();
  canvas.append(slider, readout);
  const showAll = attachZoom({
    canvas,
    plot,
    zoom,
    current,
    slider,
    keyX: () => cellX(current().cells, Number(slider.value)),
  });
  return {
    dataReplaced: (before) => {
      const isChosen = document.activeElement === slider;
      const x = cellX(before.cells, Number(slider.value));
      const index = isChosen ? (cellAt(current().cells, x) ?? 0) : newestCell(current());
      fitSlider(index);
      if (isChosen && readout.textContent !== '') moveTo(index);
      else showCursor();
    },
  };
}

/** uPlot follows the mouse alone: https://github.com/leeoniya/uPlot/issues/13 */
function followTouch(plot: uPlot): void {
  const move = ({ pointerType, clientX, clientY }: PointerEvent) => {
    if (pointerType === 'mouse') return;
    const { left, top } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: clientX - left, top: clientY - top });
  };
  plot.over.addEventListener('pointerdown', move);
  plot.over.addEventListener('pointermove', move);
}

/** @param index null: nothing is chosen; undefined: outside of all cells @param outside said there */
function show(readout: HTMLElement, data: PlotData, index: number | null | undefined, outside = 'no data'): void {
  const texts = index === null ? [] : index === undefined ? [outside] : describeCell(data, index, chosenZone());
  const parts = texts.flatMap((text, part) => {
    const span = document.createElement('span');
    span.textContent = text;
    // It covers the legend, and has its colors.
    if (part > 0 && data.series.length > 1) span.className = `series-${part}`;
    return part === 0 ? [span] : [' · ', span];
  });
  readout.replaceChildren(...parts);
}
