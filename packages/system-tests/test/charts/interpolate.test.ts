import { interpolate } from './interpolate.ts';

const env = { A: 'a', EMPTY: '' };

describe('a text of docker-compose.yml', () => {
  it.each([
    ['plain } text', 'plain } text'],
    ['${A}/${B}', 'a/'],
    ['${B:-x}${EMPTY:-y}${A:-z}', 'xya'],
    ['${B:-${C:-http://h:${P:-1}}}', 'http://h:1'],
    ['simulated${A:+?}${B:+!}', 'simulated?'],
    ['amqp://u:${A:?set it}@host', 'amqp://u:a@host'],
  ])('%s becomes %s', (text, expected) => {
    expect(interpolate(text, env)).toBe(expected);
  });

  it('needs its required variables', () => {
    expect(() => interpolate('${B:?run npm run init}', env)).toThrow('B: run npm run init');
  });
});
