import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../src/kernel/config';
import { agentServerEnvironment } from '../../src/drivers/agent-server-environment';

const CALLBACK_URL = 'http://service.example:3000';
const KEY = 'key-of-the-server';

/** The variables that docs/sandboxes.md tells whoever starts an agent server for `external`. */
function documented(): Readonly<Record<string, string>> {
  const text = readFileSync(join(__dirname, '..', '..', 'docs', 'sandboxes.md'), 'utf8');
  const [, block = ''] = /```ini\n(OH_[^]*?)```/.exec(text) ?? [];
  const lines = block
    .trim()
    .replace('<CALLBACK_URL>', CALLBACK_URL)
    .replace('<AGENT_SERVER_API_KEY>', KEY)
    .split('\n');
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const [name = '', value = ''] = line.split(/=(.*)/, 2);
      return [name, value];
    }),
  );
}

describe('the variables of an external agent server', () => {
  it('are those that the service gives the agent servers it starts itself, as far as it hears from them by these', () => {
    const { OH_SECRET_KEY: secret, ...rest } = documented();
    expect(secret).toBeDefined();
    const given = agentServerEnvironment(readSettings({ CALLBACK_URL }), KEY, { home: '/home', port: 1 });
    const needed = Object.entries(given).filter(([name]) =>
      /^(OH_WEBHOOKS_|OH_SESSION_API_KEYS_|TZ$)/.test(name),
    );
    expect(rest).toEqual(Object.fromEntries(needed));
  });
});
