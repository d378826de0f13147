interface RasterizeOptions {
  /** Width in pixels, which scales the image. Default: the SVG's own. */
  readonly width?: number | undefined;
}

/**
 * Renders an SVG document as PNG, outside of the event loop.
 *
 * @throws AppError `unavailable` when too many images wait, or the image can't be rendered
 */
export type Rasterize = (svg: string, options?: RasterizeOptions) => Promise<Buffer>;
