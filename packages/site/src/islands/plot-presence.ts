/** Those that have been in view, which are drawn. */
const seen = new WeakSet<Element>();
let views: IntersectionObserver | undefined;

/**
 * Draws the plots of the page as they come into view, in place of their pictures: their script is the largest of all,
 * and is loaded after what the first view needs.
 */
export function watchPlots(): void {
  views = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) seen.add(target);
    void draw().catch(reportError);
  });
  void preparePlots();
}

/** Each plot has a slider, which Tab reaches before the plot is in view. */
addEventListener('keydown', drawAll, { once: true });

/** Watches new plots, and draws new data of the others. */
export async function preparePlots(): Promise<void> {
  if (views === undefined) return;
  for (const figure of plots()) views.observe(figure);
  await draw();
}

function drawAll(): void {
  for (const figure of plots()) seen.add(figure);
  void draw().catch(reportError);
}

async function draw(): Promise<void> {
  const shown = plots().filter((figure) => seen.has(figure));
  if (shown.length === 0) return;
  const { drawPlots } = await import('./plot.ts');
  drawPlots(shown);
}

function plots(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('figure[data-plot]')];
}
