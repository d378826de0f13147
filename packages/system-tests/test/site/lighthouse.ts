import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** Fetched by npm when it is used: with its dependencies it has 185 MB. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

export const FORM_FACTORS = ['phone', 'desktop'] as const;
export type FormFactor = (typeof FORM_FACTORS)[number];

export interface Score {
  readonly category: string;
  /** 0 to 100. */
  readonly score: number;
  /** Audits that lowered it. */
  readonly faults: readonly string[];
}

const report = z.object({
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), displayValue: z.string().optional() })),
});

/** @throws Error when Lighthouse or the page fails */
export function lighthouseScores(
  url: string,
  formFactor: FormFactor,
  { chromium, flags }: { readonly chromium: string; readonly flags: readonly string[] },
): Score[] {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-lighthouse-'));
  const file = join(directory, 'report.json');
  const options = [
    `--output-path=${file}`,
    '--output=json',
    '--quiet',
    `--only-categories=${CATEGORIES.join(',')}`,
    `--chrome-flags=--headless ${flags.join(' ')}`,
    ...(formFactor === 'desktop' ? ['--preset=desktop'] : []),
  ];
  try {
    execFileSync('npm', ['exec', '--yes', '--', LIGHTHOUSE, url, ...options], {
      env: { ...process.env, CHROME_PATH: chromium },
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: directory,
    });
    return scoresOf(report.parse(JSON.parse(readFileSync(file, 'utf8'))));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function scoresOf({ categories, audits }: z.output<typeof report>): Score[] {
  return CATEGORIES.map((category) => {
    const { score, auditRefs } = categories[category] ?? { score: null, auditRefs: [] };
    const faults = auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      const isFault = weight > 0 && audit !== undefined && audit.score !== null && audit.score < 0.9;
      return isFault ? [`${id} ${audit.displayValue ?? ''}`.trim()] : [];
    });
    return { category, score: Math.round(100 * (score ?? 0)), faults };
  });
}
