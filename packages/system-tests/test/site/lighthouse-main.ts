import { CHROMIUM_FLAGS, findChromium } from '@lobbystats/test-kit';
import { crawl } from './crawl.ts';
import { FORM_FACTORS, lighthouseScores } from './lighthouse.ts';

// Runs Lighthouse on a page of each kind of a running site: npm run lighthouse -- http://127.0.0.1:8080 [path …]
const BOUND = 95;

const [url = 'http://127.0.0.1:8080', ...given] = process.argv.slice(2);
const base = url.replace(/\/$/, '');
if (!URL.canParse(base)) {
  console.error('npm run lighthouse -- URL [PATH…]   the URL of a running site (http://127.0.0.1:8080)');
  process.exit(base === '--help' ? 0 : 2);
}
const isRunning = await fetch(base).then(
  ({ ok }) => ok,
  () => false,
);
if (!isRunning) {
  console.error(`No site answers at ${base}: start one (npm start), or name its URL (npm run lighthouse -- URL)`);
  process.exit(1);
}
const chromium = findChromium();
if (chromium === undefined) throw new Error('Chromium is not installed: install it, or set CHROMIUM_PATH');

let failures = 0;
for (const path of given.length > 0 ? given : await pagesOf(base)) {
  for (const formFactor of FORM_FACTORS) {
    const scores = lighthouseScores(base + path, formFactor, { chromium, flags: CHROMIUM_FLAGS });
    const low = scores.filter(({ score }) => score < BOUND);
    failures += low.length;
    console.log(
      `${low.length > 0 ? 'FAIL' : 'ok  '} ${formFactor.padEnd(7)} ${scores.map(({ score }) => String(score).padStart(3)).join(' ')}  ${path}`,
    );
    for (const { category, faults } of low) console.log(`       ${category}: ${faults.join('; ')}`);
  }
}
console.log(`Performance, accessibility, best practices, SEO. Below ${BOUND}: ${failures}`);
process.exitCode = failures === 0 ? 0 : 1;

async function pagesOf(site: string): Promise<string[]> {
  const pages = (await crawl(site, 1)).filter(({ mediaType, status }) => mediaType === 'text/html' && status === 200);
  // Variants of a page by its query have the same parts.
  return pages.map(({ path }) => path).filter((path) => !path.includes('?'));
}
