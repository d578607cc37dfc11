import { createHash } from 'node:crypto';
import { Html, html } from '../../common';

/** Injection token: the address of the console, as browsers have it; null where there is none. */
export const CONSOLE = Symbol('CONSOLE');

/** As the console looks: colours, font and shapes of Pico, with its corners (console/src/styles/layout.css). */
const STYLE = `
:root { color-scheme: light dark; --ink: #373c44; --strong: #2d3138; --soft: #646b79; --line: #e7eaf0; --ground: #fff;
  --card: #fff; --accent: #0172ad; --button: #0172ad; --pressed: #02659a; --quiet: #5d6b89; --alert: #883935; --field: #fbfcfc;
  --code: #f3f5f7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #c2c7d0; --strong: #f0f1f3; --soft: #8891a4; --line: #202632; --ground: #13171f; --card: #181c25;
    --accent: #01aaff; --quiet: #969eaf; --alert: #ce7e7b; --field: #1c212c; --code: #1a1f28; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, Oxygen, Ubuntu,
  Cantarell, Helvetica, Arial, "Helvetica Neue", sans-serif; }
main { max-width: 33rem; margin: 0 auto; padding: clamp(1rem, 6vh, 4rem) 1rem 2rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: clamp(1.25rem, 5vw, 2rem); }
h1 { margin: 0 0 1rem; color: var(--strong); font-size: 2rem; line-height: 1.125; overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.2; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .875em; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .5rem 1.25rem; margin: 0 0 1.5rem; padding: 1rem 0;
  border: solid var(--line); border-width: 1px 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
form { margin: 0; } section + section { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
label { display: block; margin: 1rem 0 .25rem; }
input, select { width: 100%; padding: .75rem 1rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--field);
  color: inherit; font: inherit; }
::placeholder { color: var(--soft); opacity: 1; }
input.code { font: 1.5rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .4em; }
button, .button { display: block; width: 100%; margin-top: 1rem; padding: .75rem 1rem; border: 1px solid var(--button);
  border-radius: .5rem; background: var(--button); color: #fff; font: inherit; text-align: center; text-decoration: none;
  cursor: pointer; }
:is(button, .button):hover { border-color: var(--pressed); background: var(--pressed); }
:is(button, .button).plain, :is(button, .button).plain:hover { border-color: var(--quiet); background: transparent; color: var(--quiet); }
[hidden] { display: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert { padding: .75rem 1rem; border-inline-start: .35rem solid var(--alert); }
.items { padding: 0; list-style: none; }
.items li { display: flex; gap: 1rem; align-items: center; justify-content: space-between; padding: .6rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.items form { flex: none; } .items button { width: auto; margin: 0; padding: .2rem .6rem; font-size: .875em; }
ul { margin: 0 0 1rem; padding-inline-start: 1.25rem; } a { color: var(--accent); }
.key, pre { display: block; margin: 0 0 1rem; padding: 1rem; border-radius: .5rem; background: var(--code); color: var(--soft);
  font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.key { user-select: all; } pre { overflow-x: auto; white-space: pre-wrap; }
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
 */
export function page(title: string, content: readonly Html[]): string {
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
          <div class="card">${content}</div>
        </main>
      </body>
    </html>`.text;
}
