import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The rules of WCAG 2.2 A and AA, and axe's best practices, that a page breaks: with the elements.
 *
 * @param excluded selectors of parts that are not examined
 * @throws Error for a page with frames, which this way of running axe does not examine
 */
export async function accessibilityFaults(page: Page, ...excluded: string[]): Promise<string[]> {
  if (page.frames().length > 1) throw new Error('the page has frames, which are not examined');
  // In the page itself, and without the elements that pass: in a quarter of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  for (const selector of excluded) axe.exclude(selector);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
