import type { AddCommands } from '../cli-command.ts';

const SIMULATOR = `
Serves a homepage, a page for each game, leaderboards, feeds of events and players, icons; beside it an auth service at
/api/auth/ and Discord at /discord/; and a control API at /simulator/ for the past, accounts to log in with, faults and
the clock. The same seed and time give the same network. Ctrl+C stops it.

Exit codes: 0 stopped; 1 the port is in use or can't be opened; 2 wrong usage`;

const TRY = `
Asks for the homepage, the page of a played game, one of its leaderboards, the events and the users online, as a
collector would: within COLLECTOR_MAX_RPS, with COLLECTOR_CONTACT (required unless the network is on this machine), and
as robots.txt allows. Nothing is stored or published. docs/network.md walks through adapting a network.

Exit codes: 0 everything was read; 1 the homepage is refused, or it failed; 2 another source is refused, or wrong usage`;

const DESCRIBE = `
Prints the tables, headings and first rows of a page, or the members of a JSON answer, and proposes how the file of
NETWORK_SOURCES_FILE may describe them: what is read then, and what you decide. Every line is a guess: compare what is
read with the page in a browser. Nothing is changed, stored or published; network try proves the description.

A URL is requested as a collector would: with COLLECTOR_CONTACT, within COLLECTOR_MAX_RPS, and as robots.txt allows.
A file has one page or answer, or the pages that network try --save wrote.

Exit codes: 0 each page is read with what is proposed; 1 it failed; 2 a page is refused even so, or wrong usage`;

export const addNetworkCommands: AddCommands = (program, toAction) => {
  const network = program.command('network').description('adapt Lobbystats to a network');
  network
    .command('describe')
    .description('propose how a page of a network may be described')
    .argument('<source>', 'the URL of a page, or a file')
    .option('--as <source>', 'what it is, such as homepage, titles or players (default: a guess)')
    .option('--sources <file>', 'JSON that describes its sources already (NETWORK_SOURCES_FILE)')
    .addHelpText('after', DESCRIBE)
    .action(toAction(async () => (await import('@lobbystats/collector/admin')).runDescribe));
  network
    .command('try')
    .description('print what each source of a network yields, and what is refused and why')
    .argument('<source>', 'the URL of the network, or a file of pages that --save wrote')
    .option('--sources <file>', 'JSON that describes its sources (NETWORK_SOURCES_FILE)')
    .option('--save <file>', 'save each page that is read')
    .addHelpText('after', TRY)
    .action(toAction(async () => (await import('@lobbystats/collector/admin')).runTry));
  program
    .command('simulator')
    .description('serve a simulated gaming network on this machine')
    .option('--port <number>', 'port to listen on, 0 takes any free one (8090)')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--seed <text>', 'each seed gives another network (1)')
    .option('--titles <number>', 'titles (200)')
    .option('--boards <number>', 'leaderboards of all titles together (3000)')
    .option('--entries <number>', 'entries of all leaderboards together (500000)')
    .option('--design <number>', 'markup of the pages, 0 (the classic one) to 6 (0)')
    .option('--board-changes <number>', 'share of the leaderboards that change in an hour, at most 1 (0.01)')
    .option('--players <number>', 'gamertags (25000)')
    .option('--open-matches <number>', 'matches that are open in an average slot (80)')
    .option('--skew <number>', 'how unevenly titles are played, 0 makes them equal (1.1)')
    .option('--latency <ms>', 'delay of each response of the network, in milliseconds (0)')
    .option('--discord-token <token>', 'the bot token that Discord requires (any or none)')
    .addHelpText('after', SIMULATOR)
    .action(toAction(async () => (await import('@lobbystats/simulator')).runSimulator));
};
