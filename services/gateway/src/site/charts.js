/**
 * Charts of the last 24 hours: two panels with one time axis and one crosshair. The crosshair is a range input over the
 * panels, for keyboard, touch and the slider role; a mouse moves it by hovering.
 */

import { byId, setText } from './dom.js';
import { formatClock, formatCount, formatMoment, plural } from './format.js';
import { drawPanel, toX } from './panel.js';
import { dayUntil, findExtreme, findGaps, SLOT } from './series.js';

/** @typedef {import('./series.js').Point} Point */

const panels = /** @type {const} */ ([
  { name: 'online', label: 'users online', height: 168, labelled: false },
  { name: 'lobbies', label: 'open lobbies', height: 148, labelled: true },
]);

/** @returns {(online: Point[], lobbies: Point[], now: number) => void} shows ascending series */
export function createCharts() {
  const charts = byId('charts');
  const handle = /** @type {HTMLInputElement} */ (byId('explorer'));
  const axis = { span: dayUntil(0), left: 52, right: 0 };
  let shown = { online: /** @type {Point[]} */ ([]), lobbies: /** @type {Point[]} */ ([]) };
  /** The slot that is read; undefined for the latest. @type {number | undefined} */
  let current;
  let newest = 0;

  function draw() {
    axis.right = Math.max(charts.clientWidth, 200) - 8;
    for (const { name, height, labelled } of panels) {
      drawPanel(byId(`chart-${name}`), shown[name], axis, height, labelled);
    }
    handle.style.left = `${axis.left}px`;
    handle.style.width = `${axis.right - axis.left}px`;
    read(current);
  }

  /** @param {number | undefined} at */
  function read(at) {
    current = at === undefined || at < axis.span.from ? undefined : Math.min(at, newest);
    const moment = current ?? newest;
    const words = panels.map(({ name, label }) => {
      const point = current ? shown[name].find((candidate) => candidate.at === moment) : shown[name].at(-1);
      const lag = point && point.at < moment ? ` at ${formatClock(point.at)}` : '';
      const text = point ? formatCount(point.count) + lag : 'no snapshot';
      setText(byId(`readout-${name}`), text);
      return `${label} ${text}`;
    });
    setText(byId('readout-time'), formatMoment(moment));
    byId('crosshair').hidden = current === undefined;
    byId('crosshair').style.left = `${toX(axis, moment)}px`;
    handle.value = String((moment - axis.span.from) / SLOT);
    handle.setAttribute('aria-valuetext', `${formatMoment(moment)}: ${words.join(', ')}`);
  }

  const readHandle = () => read(axis.span.from + Number(handle.value) * SLOT);
  handle.addEventListener('input', readHandle);
  handle.addEventListener('focus', readHandle);
  handle.addEventListener('blur', () => read(undefined));
  handle.addEventListener('keydown', ({ key }) => key === 'Escape' && read(undefined));
  handle.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = handle.getBoundingClientRect();
    handle.value = String(Math.round(((clientX - left) / width) * Number(handle.max)));
    readHandle();
  });
  handle.addEventListener('pointerleave', ({ pointerType }) => {
    // Lifting a finger fires this too: the reading stays.
    if (pointerType === 'mouse' && document.activeElement !== handle) read(undefined);
  });
  new ResizeObserver(() => newest > 0 && draw()).observe(charts);

  return (online, lobbies, now) => {
    const { from, to } = (axis.span = dayUntil(now));
    const within = (/** @type {Point} */ { at }) => at >= from && at <= to;
    shown = { online: online.filter(within), lobbies: lobbies.filter(within) };
    for (const { name } of panels) setText(byId(`summary-${name}`), summarise(shown[name], axis.span));
    newest = Math.max(0, ...panels.map(({ name }) => shown[name].at(-1)?.at ?? 0));
    byId('day-data').hidden = newest === 0;
    byId('day-empty').hidden = newest > 0;
    if (newest > 0) draw();
  };
}

/** @param {Point[]} points @param {import('./series.js').Span} span */
function summarise(points, span) {
  const latest = points.at(-1);
  if (latest === undefined) return 'No snapshots.';
  const say = (/** @type {Point} */ { at, count }) => `${formatCount(count)} at ${formatClock(at)}`;
  // A snapshot that is not due yet is not missing.
  const end = findGaps(points, span).at(-1)?.to === span.to ? span.to : latest.at;
  const missing = (end - span.from) / SLOT + 1 - points.length;
  const gaps = missing > 0 ? ` ${plural(missing, 'snapshot')} missing.` : '';
  return `Peak ${say(findExtreme(points, 1))}, low ${say(findExtreme(points, -1))}, latest ${say(latest)}.${gaps}`;
}
