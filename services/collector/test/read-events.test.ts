import { EVENTS_MAX, eventsObserved } from '@lobbystats/contracts';
import fc from 'fast-check';
import { readEvents } from '../src/sources/feeds/read-events.parse.ts';
import { UnparseablePageError } from '../src/network/page-failures.ts';

const [event] = eventsObserved.example.events;
const BASE = 'https://network.example/';
const read = (...elements: unknown[]) => readEvents(JSON.stringify(elements), { baseUrl: BASE });

describe('readEvents', () => {
  it('reads all events of the feed', () => {
    expect(read(event, { ...event, id: 32, title_id: null })).toEqual({
      events: [event, { ...event, id: 32, title_id: null }],
      unread: [],
      skipped: 0,
    });
    expect(read()).toEqual({ events: [], unread: [], skipped: 0 });
  });

  it('ignores unknown fields and uses defaults for missing optional fields', () => {
    const { id, title, event_date, start_time, event_timezone, item_kind, signup_count, has_prize, is_paid_event } =
      event as typeof event & Record<string, unknown>;
    const least = {
      id,
      title,
      event_date,
      start_time,
      event_timezone,
      item_kind,
      signup_count,
      has_prize,
      is_paid_event,
    };
    const text = JSON.stringify([least]).replace('{', '{"__proto__":{"title":"x"},"constructor":1,');
    expect(readEvents(text, { baseUrl: BASE })).toEqual({
      events: [{ ...event, ...least, game_name: '', title_id: null, description: '', end_time: null }],
      unread: [],
      skipped: 0,
    });
  });

  it('resolves picture URLs and drops those that are not http(s)', () => {
    const pictures = [
      '/banners/1.png',
      'icons/1.png',
      'http://cdn.example/1.png',
      'javascript:alert(1)',
      `/${'x'.repeat(3000)}`,
    ];
    const { events } = read(
      ...pictures.map((banner_url, id) => ({ ...event, id, banner_url, game_image: banner_url })),
    );
    const expected = [`${BASE}banners/1.png`, `${BASE}icons/1.png`, 'http://cdn.example/1.png', '', ''];
    expect(events.map(({ banner_url }) => banner_url)).toEqual(expected);
    expect(events.map(({ game_image }) => game_image)).toEqual(expected);
  });

  it.each([
    ['null', null],
    ['a number', 7],
    ['an array', []],
    ['no ID', { ...event, id: undefined }],
    ['an ID that is a text', { ...event, id: '32' }],
    ['a date that doesn’t exist', { ...event, id: 32, event_date: '2026-02-30' }],
    ['a time that doesn’t exist', { ...event, id: 32, start_time: '24:00' }],
    ['another kind', { ...event, id: 32, item_kind: 'party' }],
    ['half a character', { ...event, id: 32, title: '\ud800' }],
    ['a fee below zero', { ...event, id: 32, entry_fee_sats: -1 }],
    ['the same ID again', { ...event, title: 'again' }],
  ])('skips and counts an element that is or has %s', (_, element) => {
    expect(read(event, element)).toMatchObject({ events: [event], skipped: 1 });
  });

  it('returns each valid ID of the skipped events once', () => {
    const bad = { ...event, title: 7 };
    const all = [32, 32, 33, 31, '34', -1, 2 ** 31, 1.5].map((id) => ({ ...bad, id }));
    const good = [31, 33, 40, 41, 42, 43].map((id) => ({ ...event, id }));
    expect(read(...all.slice(0, 4), ...good, ...all.slice(4, 6))).toEqual({ events: good, unread: [32], skipped: 6 });
    expect(read(...good, ...all.slice(6))).toMatchObject({ unread: [] });
  });

  it.each([
    ['no JSON', '[{'],
    ['an object', '{"events":[]}'],
    ['too many', JSON.stringify(Array.from({ length: EVENTS_MAX + 1 }, (_, id) => ({ ...event, id })))],
    ['mostly unreadable', JSON.stringify([event, {}, {}])],
    ['wholly unreadable', JSON.stringify([{}])],
  ])('throws UnparseablePageError for a feed that is %s', (_, text) => {
    expect(() => readEvents(text, { baseUrl: BASE })).toThrow(UnparseablePageError);
  });

  it('returns no events or throws UnparseablePageError for arbitrary input', () => {
    const anything = fc.oneof(
      fc.json(),
      fc.array(fc.anything()).map((all) => JSON.stringify(all)),
    );
    const outcomeOf = (text: string): unknown => {
      try {
        return readEvents(text, { baseUrl: BASE }).events;
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(anything, (text) => {
        expect([[], expect.any(UnparseablePageError)]).toContainEqual(outcomeOf(text));
      }),
    );
  });
});
