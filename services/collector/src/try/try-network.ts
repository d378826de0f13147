import { DECLARED_ABSENT } from '@lobbystats/contracts';
import { isActive, type GamePageReading, type HomepageReading, type NetworkSource } from '../network/network.ts';
import { PageFailure, remedyOf } from '../network/page-failures.ts';
import type { SourceStates } from '../sources/client/source-states.ts';
import { slotAt } from '../time/slot-times.ts';
import type { Time } from '../time/time.ts';
import { describeReading, sourceLine } from './describe-reading.ts';

const TIMEOUT_MS = 120_000;

/** Asks for each source once, of one game and one leaderboard. Returns the exit code of `network try`. */
export async function tryNetwork(
  {
    network,
    sources,
    time,
  }: { network: NetworkSource; sources: Pick<SourceStates, 'missing'>; time: Pick<Time, 'now'> },
  printLine: (line: string) => void,
): Promise<0 | 1 | 2> {
  const refused: string[] = [];
  const deadlineMs = time.now() + TIMEOUT_MS;
  const request = () => ({ slot: slotAt(time.now()), deadlineMs });

  const home = await attempt('homepage', async () => {
    const reading = await network.homepage(request());
    printLine(sourceLine('homepage', describeReading.homepage(reading)));
    return reading;
  });
  const game = await attempt('titles', () => readGame(home));
  await attempt('leaderboards', () => readBoard(game));
  await attempt('events', () =>
    network.events.poll(deadlineMs, async (reading) => {
      printLine(sourceLine('events', describeReading.events(reading)));
      await Promise.resolve();
    }),
  );
  await attempt('players', () =>
    network.players.poll(deadlineMs, async (reading) => {
      printLine(sourceLine('players', describeReading.players(reading)));
      await Promise.resolve();
    }),
  );
  if (home === undefined) return 1;
  return refused.length === 0 ? 0 : 2;

  async function attempt<Result>(source: string, read: () => Promise<Result>): Promise<Result | undefined> {
    if ((await sources.missing()).some((each) => each.source === source && each.reason === DECLARED_ABSENT)) {
      printLine(sourceLine(source, `${DECLARED_ABSENT}, as NETWORK_SOURCES_FILE says`));
      return undefined;
    }
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      refused.push(source);
      printLine(sourceLine(source, `refused: ${error.message}`));
      const remedy = remedyOf(error);
      if (remedy !== undefined) printLine(sourceLine('', remedy));
      return undefined;
    }
  }

  async function readGame(reading: HomepageReading | undefined) {
    const title = reading?.titles.find(isActive) ?? reading?.titles[0];
    if (title === undefined) throw new PageFailure('rejected', 'no game is known');
    const read = await network.gamePage(title.titleId, { ...request(), matches: false });
    printLine(sourceLine('titles', `${title.titleId}: ${describeReading.titles(read)}`));
    return { ...read, titleId: title.titleId };
  }

  async function readBoard(read: (GamePageReading & { titleId: string }) | undefined): Promise<void> {
    const board = read?.boards?.[0];
    if (read === undefined || board === undefined) throw new PageFailure('rejected', 'no leaderboard is known');
    const response = await network.boards.boardPage({ titleId: read.titleId, leaderboardId: board.id }, 1, deadlineMs);
    if (response.kind !== 'read') throw new PageFailure('rejected', 'The network returned status 404');
    printLine(
      sourceLine(
        'leaderboards',
        `${read.titleId} ${board.id} "${board.name}": ${describeReading.leaderboards(response.page)}`,
      ),
    );
  }
}
