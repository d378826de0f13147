/** Data of a plot, for the server's picture and the browser's plot. */
export interface PlotData {
  /** `time`: the x axis has epoch seconds, UTC. `number`: plain numbers. */
  readonly axis: 'time' | 'number';
  readonly kind: 'line' | 'bars' | 'steps';
  readonly xs: readonly number[];
  readonly series: readonly PlotSeries[];
  /** Values grow downwards, such as ranks. */
  readonly isInverted?: boolean;
}

export interface PlotSeries {
  readonly label: string;
  /** One for each x; null: missing, the line has a gap. */
  readonly values: readonly (number | null)[];
}
