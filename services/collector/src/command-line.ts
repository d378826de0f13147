import { readOptions } from '@lobbystats/service-kit';

export type Command =
  | { kind: 'run'; saveTo: string | undefined }
  | { kind: 'help' }
  | { kind: 'once'; saveTo: string | undefined }
  | { kind: 'replay'; source: string };

export const helpText = `The collector reads a network's pages and publishes observations on the bus.

  npm run collector                        collect every slot until stopped
  npm run collector -- --save FILE         the same, and save each page and feed as one line of FILE;
                                           leaderboards are read within an hour
  npm run collector -- --once              collect the current slot, print a summary and exit:
                                           0 complete, 1 nothing collected, 2 titles missing
  npm run collector -- --once --save FILE  the same, and save each page that was read
  npm run collector -- --replay FILE|URL   publish saved pages as past observations:
                                           0 all, 1 nothing, 2 lines, slots or leaderboards skipped
  npm run collector -- --help              this text

--once and --replay publish to BUS_URL; by default to memory:DATA_DIR/bus.sqlite (DATA_DIR: ./data), the journal of
npm start, which must not be running then. With BUS_URL=memory: no consumer receives the messages.

Format of a line: {"url": "…", "at": "YYYY-MM-DDTHH:MM:SSZ", "body": "<html>…"}. Lines are sorted by slot, and the
pages of a leaderboard in the order in which they were read.
Settings are environment variables; services/collector/README.md explains each.
`;

export function parseCommand(args: readonly string[]): Command {
  const values = readOptions(args, {
    help: { type: 'boolean' },
    once: { type: 'boolean' },
    save: { type: 'string' },
    replay: { type: 'string' },
  });
  if (values.help === true) return { kind: 'help' };
  if (values.once === true && values.replay !== undefined) throw new Error('--once and --replay exclude each other');
  if (values.save !== undefined && values.replay !== undefined)
    throw new Error('--save and --replay exclude each other');
  if (values.save === '' || values.replay === '') throw new Error('--save and --replay name a file');
  if (values.replay !== undefined) return { kind: 'replay', source: values.replay };
  return { kind: values.once === true ? 'once' : 'run', saveTo: values.save };
}

export function describeDestination(busUrl: string): string {
  const endsWithCommand = /^memory:(?::memory:)?$/.test(busUrl);
  return endsWithCommand ? `published to no consumer: ${busUrl} ends with this command` : `published to ${busUrl}`;
}
