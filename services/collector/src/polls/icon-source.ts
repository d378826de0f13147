/** Icons of titles, as images of our own. */
export interface IconSource {
  /**
   * Reads the icon at a URL that the network names, after all other requests. `deadlineMs` is in epoch milliseconds. Returns
   * WebP in Base64; undefined for an icon of another host, which is not requested.
   *
   * @throws PageFailure when there is none, it is no image, or there was no time
   */
  icon(image: string, deadlineMs: number): Promise<string | undefined>;
}
