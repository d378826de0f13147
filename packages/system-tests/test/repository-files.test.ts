import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const issueForm = z.object({
  name: z.string(),
  description: z.string(),
  body: z.array(
    z.object({
      type: z.enum(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']),
      id: z.string().optional(),
      attributes: z.looseObject({ label: z.string().optional() }),
    }),
  ),
});

describe('issue forms', () => {
  it.each(globSync('.github/ISSUE_TEMPLATE/{bug,feature}.yml', { cwd: root }))('%s is complete', (path) => {
    const { body } = issueForm.parse(parse(read(path)));
    const fields = body.filter(({ type }) => type !== 'markdown');
    expect(fields.every(({ id, attributes }) => id !== undefined && attributes.label !== undefined)).toBe(true);
  });
});

describe('dev container', () => {
  it('has the Node version of .nvmrc', () => {
    const { image } = z.object({ image: z.string() }).parse(JSON.parse(read('.devcontainer/devcontainer.json')));
    expect(image).toContain(`:${read('.nvmrc').trim()}-`);
  });

  it('installs the extensions that are recommended outside of it', () => {
    const { customizations } = z
      .object({ customizations: z.object({ vscode: z.object({ extensions: z.array(z.string()) }) }) })
      .parse(JSON.parse(read('.devcontainer/devcontainer.json')));
    expect(JSON.parse(read('.vscode/extensions.json'))).toEqual({ recommendations: customizations.vscode.extensions });
  });
});

describe('settings of npm run dev', () => {
  it.each([...read('services/standalone/dev.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name))(
    '%s is in .env.example',
    (name) => {
      expect(read('.env.example')).toMatch(new RegExp(`^#?${name}=`, 'm'));
    },
  );
});
