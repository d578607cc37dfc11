import { html } from '../../common';
import { page } from '../../http';

const PAGES = [
  ['/settings/llm', 'Models', 'profiles, and connections to providers'],
  ['/settings/agents', 'Agents', 'profiles of agents'],
  ['/settings/condenser', 'Condenser', 'when long histories are summarized'],
  ['/settings/verification', 'Confirmation', 'which actions wait for you'],
  ['/settings/secrets', 'Secrets', 'what your agents get as environment variables'],
  ['/settings/app', 'Application', 'language, sounds, the author of commits'],
  ['/mcp', 'MCP', 'servers with tools'],
  ['/skills', 'Skills', 'what your agents are told'],
] as const;

/**
 * The page of all settings: the interface links to it where its back end is a remote one, and has most of its pages of
 * settings in no menu then.
 * @param origin of the service
 */
export function settingsPage(origin: string): string {
  const example = `curl -X POST ${origin}/api/v1/git/credentials -H "X-Access-Token: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url_prefix": "https://github.com/acme", "username": "x-access-token", "password": "ghp_example"}'`;
  return page('Settings', '≡', [
    html`<h1>Settings</h1>
      <ul>
        ${PAGES.map(([path, name, what]) => html`<li><a href="${path}">${name}</a>: ${what}</li>`)}
      </ul>
      <section aria-labelledby="git-title">
        <h2 id="git-title">Git hosts</h2>
        <p>
          Repositories can be chosen at each git host that you or your organization keep a credential for.
          There is no page for that: it is kept by <a href="/docs">an operation</a>, with your key.
        </p>
        <pre><code>${example}</code></pre>
      </section>
      <section aria-labelledby="back-title">
        <h2 id="back-title">Elsewhere</h2>
        <p><a href="/">The conversations</a>; <a href="/login">who is signed in</a>.</p>
      </section>`,
  ]);
}
