import type { NetworkSource } from './network.ts';
import type { SourceStates } from './source-states.ts';

/** The same network, but a source that it lacks is not asked for in each slot. */
export function askingOnlyWhatIsThere(network: NetworkSource, { ask }: Pick<SourceStates, 'ask'>): NetworkSource {
  const { boards, events, players } = network;
  return {
    homepage: (request) => network.homepage(request),
    gamePage: (titleId, request) => ask('titles', () => network.gamePage(titleId, request)),
    boards: {
      boardPage: (...request) =>
        ask(
          'leaderboards',
          () => boards.boardPage(...request),
          ({ kind }) => (kind === 'absent' ? 'The network returned status 404' : undefined),
        ),
    },
    events: { ...events, poll: (...request) => ask('events', () => events.poll(...request)) },
    players: { ...players, poll: (...request) => ask('players', () => players.poll(...request)) },
  };
}
