import { readSettings } from '../../../kernel/config';
import { pagePolicy } from './page-policy';

function directive(name: string, env: Record<string, string>, host?: string): string | undefined {
  const policy = pagePolicy(["'sha256-x'"], readSettings(env), host);
  return policy
    .split('; ')
    .find((one) => one.startsWith(`${name} `))
    ?.slice(name.length + 1);
}

describe('the policy of the page', () => {
  it.each([
    ['{port} of this machine', 'http://localhost:{port}', "'self' http://localhost:* ws://localhost:*"],
    ['a name', 'https://boxes.example/{port}', "'self' https://boxes.example wss://boxes.example"],
    [
      'a name and port',
      'https://boxes.example:8443',
      "'self' https://boxes.example:8443 wss://boxes.example:8443",
    ],
    [
      'a name for each port',
      'https://s{port}.boxes.example',
      "'self' https://*.boxes.example wss://*.boxes.example",
    ],
    ['no address', 'boxes; script-src *', "'self'"],
    ['no name', 'http://a;b:{port}', "'self'"],
  ])('lets it connect to the service and to agent servers at %s', (_, SANDBOX_PUBLIC_URL, expected) => {
    expect(directive('connect-src', { SANDBOX_PUBLIC_URL })).toBe(expected);
  });

  it('lets it connect to the ports of the host it was called by, where agent servers are on this machine', () => {
    const env = { SANDBOX_HOST: '127.0.0.1' };
    expect(directive('connect-src', env, 'lan.example:3000')).toBe(
      "'self' http://127.0.0.1:* ws://127.0.0.1:* http://lan.example:* ws://lan.example:*",
    );
    for (const host of ['a; script-src *', 'a b', '', undefined])
      expect(directive('connect-src', env, host)).toBe("'self' http://127.0.0.1:* ws://127.0.0.1:*");
  });

  it.each(['door', 'mixed'])(
    'lets it connect to the service only, where conversations are reached through it: %s',
    (SANDBOX_ACCESS) => {
      expect(directive('connect-src', { SANDBOX_ACCESS }, 'lan.example:3000')).toBe("'self'");
    },
  );

  it('lets it connect to the external agent server', () => {
    const AGENT_SERVER_URL = 'https://agents.example/base';
    expect(directive('connect-src', { AGENT_SERVER_URL })).toContain(
      ' https://agents.example wss://agents.example',
    );
  });

  it('lets nobody frame it, and runs no scripts but those of the service and of the page', () => {
    expect(directive('frame-ancestors', {})).toBe("'none'");
    expect(directive('script-src', {})).toBe("'self' 'sha256-x'");
    expect(directive('default-src', {})).toBe("'none'");
  });
});
