import { forEachBounded } from '@lobbystats/service-kit/concurrency';
import type { EpochSeconds } from '@lobbystats/contracts';
import type { PageJob } from '../network/observation-publisher.ts';
import type { HomepageReading, PageRequest } from '../network/network.ts';
import { PageFailure } from '../network/page-failures.ts';
import { awaitedTitles, slotHomeOf, type SlotHome } from '../network/slot-observation.ts';
import { createOutlierGuard } from './outlier-guard.ts';
import type { SlotParts } from './slot-parts.ts';
import { endMsOf, isMetadataDue } from '../time/slot-times.ts';

/** Jobs published in parallel. */
const JOB_CONCURRENCY = 32;

/**
 * Reads the homepage and enqueues a job for each title that needs its page. Resumes the work of an earlier leader;
 * duplicate jobs have no effect. Returns the number of awaited titles; undefined when the homepage could
 * not be read until the deadline.
 */
export type OpenSlot = (slot: EpochSeconds, deadlineMs: number) => Promise<number | undefined>;

export function createSlotOpener(parts: SlotParts): OpenSlot {
  const { slots, titles, network, sources, publisher, admit, announcer, telemetry, time, backoff, stopping } = parts;
  const outliers = createOutlierGuard();

  return async (slot, deadlineMs) => {
    // An earlier leader may have read the last page and finished the slot.
    if ((await slots.state(slot)) !== 'open') return 0;
    let home = (await slots.content(slot))?.home;
    if (home === undefined) {
      const whole = await readHomepage({ slot, deadlineMs });
      if (whole === undefined) return undefined;
      const reading = await admit(slot, whole);
      await announce(reading);
      home = slotHomeOf(reading);
      // Pages that the network lacks would delay each slot until its deadline.
      const lacksPages = (await sources.missing()).some(({ source }) => source === 'titles');
      await slots.putHome(slot, home, lacksPages ? [] : awaitedTitles(home));
    }
    const awaited = new Set(await slots.awaitedTitles(slot));
    const jobs = await jobsOf(slot, home, awaited);
    await forEachBounded(jobs, JOB_CONCURRENCY, (job) =>
      // Metadata jobs may run until the slot's end.
      publisher.enqueuePage(job, job.matches ? deadlineMs : endMsOf(slot)),
    );
    return awaited.size;
  };

  /** Best effort: names that fail now are published with the next slot. */
  async function announce(reading: HomepageReading): Promise<void> {
    try {
      await announcer.publishHomes(reading.titles, Math.floor(time.now() / 1000));
    } catch (error) {
      telemetry.fault('publishing titles failed', error);
    }
  }

  /** Awaited titles first; their jobs read metadata as well when it is due. */
  async function jobsOf(slot: EpochSeconds, home: SlotHome, awaited: ReadonlySet<string>): Promise<PageJob[]> {
    const known = await titles.all();
    const isDue = (titleId: string) => {
      const pageSlot = known.get(titleId)?.pageSlot ?? null;
      return pageSlot === null || (isMetadataDue(slot) && pageSlot !== slot);
    };
    const jobs = home.titles.map(({ titleId }): PageJob => {
      return { slot, titleId, matches: awaited.has(titleId), metadata: isDue(titleId) };
    });
    return [...jobs.filter(({ matches }) => matches), ...jobs.filter(({ matches, metadata }) => !matches && metadata)];
  }

  /** A reading far from those of the last hour is no answer until a second one confirms it, in this slot or the next. */
  async function readHomepage(request: PageRequest): Promise<HomepageReading | undefined> {
    for (let attempt = 1; time.now() < request.deadlineMs && !stopping.aborted; attempt += 1) {
      parts.refreshForms();
      try {
        const reading = await network.homepage(request);
        const reason = outliers.check(reading, request.slot, time.now());
        if (reason === undefined) return reading;
        telemetry.pageFailed('home', '/', new PageFailure('inconsistent', reason));
      } catch (error) {
        if (!(error instanceof PageFailure)) throw error;
        if (error.isFinal) return undefined;
      }
      await time.sleep(backoff(attempt), stopping);
    }
    return undefined;
  }
}
