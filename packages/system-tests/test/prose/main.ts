import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

// `npm run prose`: reports the words of .prose.yml in documents, outside of code and URLs.

const repository = join(import.meta.dirname, '../../../..');
const documents = globSync(
  ['README.md', '{.github,docs}/**/*.md', '{packages,services,infra/helm,packages/cli/src}/*/README.md'],
  { cwd: repository },
);
const pattern = z.stringFormat('pattern', /^\/.+\/i?$/).transform((text) => {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), `g${text.slice(end + 1)}`);
});
const { rules } = z
  .object({ rules: z.array(z.object({ expected: z.string(), pattern })) })
  .parse(parse(readFileSync(join(repository, '.prose.yml'), 'utf8')));

const BLOCK = /^[ >]*(```+|~~~+)[^]*?^[ >]*\1/gm;
const SPAN = /(?<!`)(`+)(?!`)(?:(?!\n\n)[^])*?(?<!`)\1(?!`)/g;
const URL = /(?<=\]\()[^)]+|\bhttps?:\S+/g;
const LINE_END_IN_SENTENCE = /(?<=[^\n|])\n(?=[a-z])/g;

for (const path of documents) {
  const text = readFileSync(join(repository, path), 'utf8');
  const prose = [BLOCK, SPAN, URL]
    .reduce((rest, code) => rest.replace(code, (part) => part.replace(/[^\n]/g, ' ')), text)
    .replace(LINE_END_IN_SENTENCE, ' ');
  for (const rule of rules) {
    for (const { 0: word, index } of prose.matchAll(rule.pattern)) {
      console.error(`${path}:${text.slice(0, index).split('\n').length}: “${word}”: write ${rule.expected}`);
      process.exitCode = 1;
    }
  }
}
