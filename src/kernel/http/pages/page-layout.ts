import { createHash } from 'node:crypto';
import { Html, html } from '../../common';

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2733; --soft: #566070; --line: #d5dbe3; --paper: #ffffff; --ground: #f3f5f8;
  --accent: #1d4ed8; --accent-ink: #ffffff; --alert: #a4161a; --alert-ground: #fdf0f0; --field: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf2; --soft: #a5b0c0; --line: #3a4453; --paper: #1b222c; --ground: #11161d;
    --accent: #7aa5ff; --accent-ink: #0d1420; --alert: #ffb3b3; --alert-ground: #3a1f22; --field: #131920; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 33rem; margin: 0 auto; padding: clamp(1rem, 6vh, 4rem) 1rem 2rem; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1.25rem, 5vw, 2.25rem); }
.badge { display: flex; align-items: center; justify-content: center; width: 3rem; height: 3rem; margin-bottom: 1.25rem;
  border-radius: 12px; background: var(--accent); color: var(--accent-ink); font-size: 1.4rem; font-weight: 700; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 0 0 .25rem; font-size: 1.1rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .925rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .4rem 1.25rem; margin: 0 0 1.5rem; padding: 1rem 0;
  border: solid var(--line); border-width: 1px 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
form { margin: 0; } section + section { margin-top: 1.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
label { display: block; margin: 1rem 0 .35rem; font-weight: 600; }
input, select { width: 100%; padding: .75rem .85rem; border: 1px solid var(--soft); border-radius: 9px; background: var(--field);
  color: var(--ink); font: inherit; }
::placeholder { color: var(--soft); opacity: 1; }
input.code { font: 1.5rem ui-monospace, Menlo, Consolas, monospace; letter-spacing: .4em; }
button, .button { display: block; width: 100%; margin-top: 1.1rem; padding: .85rem 1rem; border: 1px solid var(--accent);
  border-radius: 9px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; }
button.plain { background: transparent; color: var(--accent); } [hidden] { display: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert { margin: 0 0 1.25rem; padding: .85rem 1rem; border-left: 4px solid var(--alert); border-radius: 6px;
  background: var(--alert-ground); color: var(--alert); }
.items { padding: 0; list-style: none; }
.items li { display: flex; gap: 1rem; align-items: center; justify-content: space-between; padding: .6rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.items button { margin: 0; padding: .6rem .9rem; }
ul { margin: 0 0 1rem; padding-left: 1.25rem; } a { color: var(--accent); }
.key { display: block; margin: 0 0 1rem; padding: 1rem; border: 1px dashed var(--soft); border-radius: 9px; background: var(--field);
  font: .95rem/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; user-select: all; }
pre { margin: 0 0 1rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: 9px; overflow-x: auto; font-size: .875rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** Copies a key. Browsers give pages the clipboard over connections only that they trust; elsewhere the old command works. */
const COPY_SCRIPT = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const key = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(key.textContent);
    } catch {
      getSelection().selectAllChildren(key);
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
  });
}
`;

/** The page loads nothing, runs only the script that copies a key, cannot be framed, and submits forms to us only. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${digestOf(STYLE)}'`,
  `script-src 'sha256-${digestOf(COPY_SCRIPT)}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

// Outside the templates: a formatter must not change the script whose hash is in the policy.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${COPY_SCRIPT}</script>`);

/** A key that is shown once, with a button that copies it; for one place of a page. */
export function keyBox(key: string): Html {
  return html`<code class="key" id="shown-key">${key}</code>
    <button type="button" class="plain" data-copies="shown-key" aria-live="polite" hidden>
      Copy the key
    </button>
    ${SCRIPT_ELEMENT}`;
}

/** The field for a code that was mailed, of which a form has one. */
export function codeField(): Html {
  return html`<label for="code">Code</label>
    <input
      id="code"
      class="code"
      name="code"
      required
      autofocus
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="[0-9 ]*"
      maxlength="12"
    />`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/**
 * A static page for people.
 * @param title for the browser's tab
 * @param badge a letter or sign above the heading
 */
export function page(title: string, badge: string, content: readonly Html[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <div class="card">
            <div class="badge" aria-hidden="true">${badge}</div>
            ${content}
          </div>
        </main>
      </body>
    </html>`.text;
}
