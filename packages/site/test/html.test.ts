import { html, textOf } from '../src/html.ts';

describe('html', () => {
  it('leaves out the indentation of the source, and none of the text', () => {
    const text = 'a\n    b <i>';
    const markup = html`<div>
      <pre>${text}</pre>

      two words
    </div>`;
    expect(textOf(markup)).toBe('<div>\n<pre>a\n    b &lt;i&gt;</pre>\ntwo words\n</div>');
  });

  it('escapes texts, and nothing of other markup', () => {
    const item = html`<li>${'<&>'}</li>`;
    for (let times = 0; times < 2; times += 1) {
      expect(
        textOf(
          html`<ul>
            ${[item, undefined, false]}
          </ul>`,
        ),
      ).toBe('<ul>\n<li>&lt;&amp;&gt;</li>\n</ul>');
    }
  });
});
