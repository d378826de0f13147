import { encodePng } from '@lobbystats/service-kit/png';

export const imageForms = ['huge', 'bomb', 'long', 'empty', 'animated', 'svg', 'html'] as const;
export type ImageForm = (typeof imageForms)[number];

const MEGABYTE = 1024 * 1024;

/** Two pictures of one pixel each. */
const ANIMATED_GIF =
  'R0lGODlhAQABAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==';

const IMAGES: Readonly<Record<ImageForm, () => Buffer>> = {
  huge: () => encodePng(50_000, 50_000, Buffer.alloc(100)),
  bomb: () => encodePng(96, 96, Buffer.alloc(64 * MEGABYTE)),
  long: () => Buffer.concat([encodePng(1, 1, Buffer.from([0, 255, 0, 0, 255])), Buffer.alloc(2 * MEGABYTE)]),
  empty: () => Buffer.alloc(0),
  animated: () => Buffer.from(ANIMATED_GIF, 'base64'),
  svg: () =>
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
  html: () => Buffer.from('<!doctype html><title>No icon</title><script>alert(1)</script>'),
};

/** An image that no reader should trust, under the media type of a PNG. */
export function hostileImage(form: ImageForm): Buffer {
  return IMAGES[form]();
}
