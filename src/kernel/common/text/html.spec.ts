import { Html, html } from './html';

describe('html', () => {
  it('escapes the content of elements and attributes', () => {
    const name = `<b onclick="x('&')">`;
    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      '<p title="&lt;b onclick=&quot;x(&#39;&amp;&#39;)&quot;&gt;">&lt;b onclick=&quot;x(&#39;&amp;&#39;)&quot;&gt;</p>',
    );
  });

  it('nests templates, and renders null as nothing', () => {
    const items = ['a', '<'].map((item) => html`<li>${item}</li>`);
    expect(
      html`<ul>
        ${items}${null}${new Html('<hr>')}${7}
      </ul>`.text.replace(/\s/g, ''),
    ).toBe('<ul><li>a</li><li>&lt;</li><hr>7</ul>');
  });
});
