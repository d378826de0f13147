import type { NetworkSourceName } from '@lobbystats/contracts';
import type { NetworkSource } from '../../network/network.ts';
import type { RefusedSources } from './refused-sources.ts';
import type { SourceStates } from './source-states.ts';

/** The same network, but a source that it lacks is not asked for in each slot, and refused pages are noted. */
export function askingOnlyWhatIsThere(
  network: NetworkSource,
  sources: Pick<SourceStates, 'ask'>,
  { watch }: Pick<RefusedSources, 'watch'>,
): NetworkSource {
  const { boards, events, players } = network;
  const ask = <Result>(
    source: NetworkSourceName,
    read: () => Promise<Result>,
    reasonOf?: (result: Result) => string | undefined,
  ) => sources.ask(source, () => watch(source, read), reasonOf);
  return {
    homepage: (request) => watch('homepage', () => network.homepage(request)),
    gamePage: (titleId, request) => ask('titles', () => network.gamePage(titleId, request)),
    boards: {
      boardPage: (...request) =>
        ask(
          'leaderboards',
          () => boards.boardPage(...request),
          ({ kind }) => (kind === 'absent' ? 'The network returned status 404' : undefined),
        ),
    },
    events: {
      isKnown: () => events.isKnown(),
      get intervalSeconds() {
        return events.intervalSeconds;
      },
      poll: (...request) => ask('events', () => events.poll(...request)),
    },
    players: {
      get intervalSeconds() {
        return players.intervalSeconds;
      },
      poll: (...request) => ask('players', () => players.poll(...request)),
    },
  };
}
