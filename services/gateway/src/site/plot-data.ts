/** Data of a plot, for the server's picture and the browser's plot. */
export interface PlotData {
  /** `time`: the x axis has epoch seconds, UTC. `number`: plain numbers. */
  readonly axis: 'time' | 'number';
  readonly kind: 'line' | 'bars' | 'steps';
  readonly xs: readonly number[];
  readonly series: readonly PlotSeries[];
  /** Bins of a histogram. */
  readonly bins?: Bins;
  /** Values grow downwards, such as ranks. */
  readonly isInverted?: boolean;
}

/** Each bin begins at its x. */
export interface Bins {
  readonly width: number;
  /** Text of each bin's lower edge, then of the last one's upper edge. */
  readonly edges: readonly string[];
}

export interface PlotSeries {
  readonly label: string;
  /** One for each x; null: missing, the line has a gap. */
  readonly values: readonly (number | null)[];
}

/** `0:49.000–0:50.000` */
export function binText({ edges }: Bins, index: number): string {
  return `${edges[index] ?? ''}–${edges[index + 1] ?? ''}`;
}
