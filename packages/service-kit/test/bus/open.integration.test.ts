import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusUrlError, NoJournalError, openBus, openDeadLetterStore } from '../../src/bus/index.ts';
import { StoreRefusedError } from '../../src/sqlite/index.ts';
import { ORIGIN } from './samples.ts';

describe('opening a bus by its URL', () => {
  it('opens an in-memory bus for memory:', async () => {
    const bus = await openBus({ url: 'memory:', origin: ORIGIN });
    expect(bus.origin).toBe(ORIGIN);
    await bus.close();
  });

  it.each([
    ['amqp:someone:secret@localhost', /amqp\(s\):\/\/user:password@host:port\/vhost/],
    ['amqps://someone:secret@localhost:port', /amqp\(s\):\/\/user:password@host:port\/vhost/],
    ['kafka://someone:secret@localhost', /memory:, memory:PATH or amqp\(s\):.* not kafka:/],
    ['', /memory:, memory:PATH or amqp/],
  ])('refuses %p without repeating its password', async (url, message) => {
    for (const openIt of [() => openBus({ url, origin: ORIGIN }), () => openDeadLetterStore({ url })]) {
      const open = openIt();
      await expect(open).rejects.toThrow(BusUrlError);
      await expect(open).rejects.toThrow(message);
      await expect(open).rejects.not.toThrow(/secret/);
    }
  });

  it.each([
    ['a directory', 'directory', /directory\.lock can't be opened: .*unable to open/],
    ['not a database', 'text', /text can't be opened: .*not a database/],
    ['below a file instead of a directory', 'text/bus.sqlite', /bus\.sqlite\.lock can't be opened: /],
  ])('names the unusable file and the reason when it is %s', async (_what, name, message) => {
    const directory = mkdtempSync(join(tmpdir(), 'message-bus-'));
    mkdirSync(join(directory, 'directory.lock'));
    writeFileSync(join(directory, 'text'), 'no database '.repeat(100));
    const open = openBus({ url: `memory:${join(directory, name)}`, origin: ORIGIN });
    await expect(open).rejects.toThrow(StoreRefusedError);
    await expect(open).rejects.toThrow(message);
    rmSync(directory, { recursive: true });
  });

  it('refuses to open the dead letters of an in-memory bus or a missing journal', async () => {
    await expect(openDeadLetterStore({ url: 'memory:' })).rejects.toThrow(BusUrlError);
    await expect(openDeadLetterStore({ url: 'memory:/nowhere/bus.sqlite' })).rejects.toThrow(NoJournalError);
  });
});
