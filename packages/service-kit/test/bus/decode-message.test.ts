import { messageType, slotObserved, slotStored } from '@lobbystats/contracts';
import { z } from 'zod';
import { decodeMessage, readFact } from '../../src/bus/decode-message.ts';
import { noHooks } from '../../src/bus/bus-hooks.ts';
import { ORIGIN, rawBody } from './samples.ts';

/** A type of a later release, which also counts the players who wait for a match. */
const later = messageType({
  ...slotObserved,
  version: 2,
  data: slotObserved.data.extend({ waiting: z.int().nullable().default(null) }),
  previous: slotObserved.data.transform((data) => ({ ...data, waiting: null })),
});
const laterTypes = new Map([[later.key, later]]);

const bodyOf = (version: number, data: object) => rawBody({ type: slotObserved.key, version, data });

describe('a message between two releases', () => {
  it('is read by the later one as of its own version', () => {
    const decoded = decodeMessage(bodyOf(1, slotObserved.example), ORIGIN, laterTypes);
    expect(decoded).toMatchObject({ message: { version: 2, data: { ...slotObserved.example, waiting: null } } });
    expect(decodeMessage(bodyOf(2, slotObserved.example), ORIGIN, laterTypes)).toMatchObject({
      message: { data: { waiting: null } },
    });
  });

  it('is refused if its version is older than the previous one, or newer', () => {
    const fault = (version: number) => ({ fault: `version ${version} of slot.observed is not supported: expected 2` });
    for (const version of [3, 4])
      expect(decodeMessage(bodyOf(version, slotObserved.example), ORIGIN, laterTypes)).toMatchObject(fault(version));
    expect(decodeMessage(bodyOf(2, slotObserved.example), ORIGIN)).toMatchObject({
      fault: 'version 2 of slot.observed is not supported: expected 1',
    });
  });

  it('is left out of the log if only the later one knows its type, which is no fault', () => {
    const dead = jest.fn();
    const read = (body: string) => readFact(body, {}, { origin: ORIGIN, hooks: { ...noHooks, event: dead } });
    expect(read(rawBody({ type: 'slot.renamed', data: {} }))).toBeUndefined();
    expect(dead).not.toHaveBeenCalled();
    expect(read(rawBody({ type: slotStored.key, data: {} }))).toBeUndefined();
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('is read from the log without added fields', () => {
    const fact = { ...slotStored.example, waiting: 3 };
    const body = rawBody({ type: slotStored.key, version: 1, data: fact });
    expect(readFact(body, {}, { origin: ORIGIN, hooks: noHooks })?.data).toEqual(slotStored.example);
  });
});
