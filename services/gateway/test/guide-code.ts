import { readPage } from './page-text.ts';
import type { RunningGateway } from './running-gateway.ts';

/** A program of the guide, as its reader copies it. */
export interface GuideCode {
  /** ID of its section. */
  readonly step: string;
  readonly language: string;
  readonly text: string;
}

/** All programs of the guide, in the order of the page. */
export async function readGuide(gateway: Pick<RunningGateway, 'request'>, path: string): Promise<GuideCode[]> {
  const { document } = await readPage(gateway, path);
  return Array.from(document.querySelectorAll('figure.code'), (figure) => ({
    step: figure.closest('section')?.getAttribute('id') ?? '',
    language: figure.querySelector('figcaption')?.textContent ?? '',
    text: figure.querySelector('code')?.textContent ?? '',
  }));
}
