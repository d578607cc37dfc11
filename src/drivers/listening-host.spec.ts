import { readSettings } from '../kernel/config';
import { namespaceProblem } from './launch/namespaces';
import { callbackPortAdvice, checkListeningHost } from './listening-host';

const LAN = { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.0.2.1:3000' };
const HTTPS = { PUBLIC_URL: 'https://conversations.example.com' };

function check(env: Record<string, string>): Promise<void> {
  return checkListeningHost(readSettings(env));
}

// Elsewhere no agent has a port.
(namespaceProblem() === null ? describe : describe.skip)('the host of sandboxes', () => {
  it.each<Record<string, string>>([
    { SANDBOX_HOST: '127.0.0.1' },
    { SANDBOX_HOST: 'localhost' },
    { SANDBOX_HOST: '::1' },
    { SANDBOX_HOST: '0.0.0.0' },
    { SANDBOX_HOST: '::' },
    { SANDBOX_HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:8080' },
    { SANDBOX_HOST: '192.0.2.1', ...LAN },
    { SANDBOX_HOST: '127.0.0.5', HOST: '127.0.0.5' },
    { SANDBOX_PUBLIC_URL: 'https://conversations.example.com:{port}', ...HTTPS },
    { SANDBOX_PUBLIC_URL: 'https://conversations.example.com/{port}', ...HTTPS },
  ])('is none of the web interface: %j is refused', async (env) => {
    await expect(check(env)).rejects.toThrow(
      /^SANDBOX_(HOST|PUBLIC_URL) .* is at a host name of the service/,
    );
  });

  it.each<Record<string, string>>([
    {},
    LAN,
    HTTPS,
    // Its cookie is sent over https only.
    { SANDBOX_HOST: '0.0.0.0', ...HTTPS },
    { SANDBOX_HOST: '192.0.2.1', PUBLIC_URL: 'http://192.0.2.2:3000' },
    { SANDBOX_PUBLIC_URL: 'https://{port}.sandboxes.example.com', ...HTTPS },
    { SANDBOX_HOST: '127.0.0.1', APP_ROLE: 'api' },
  ])('may be any other: %j', async (env) => {
    await expect(check(env)).resolves.toBeUndefined();
  });
});

describe('the address at which ports of containers are published', () => {
  const DOCKER = { SANDBOX_DRIVER: 'docker', SANDBOX_IMAGE: 'sandbox' };

  it.each<Record<string, string>>([
    { DOCKER_PUBLISH_ADDRESS: '127.0.0.1' },
    { DOCKER_PUBLISH_ADDRESS: '0.0.0.0' },
    { DOCKER_PUBLISH_ADDRESS: '192.0.2.1', ...LAN },
    { DOCKER_PUBLISH_ADDRESS: '192.0.2.1', ...LAN, APP_ROLE: 'api' },
  ])('is none of the web interface: %j is refused', async (env) => {
    await expect(check({ ...DOCKER, ...env })).rejects.toThrow(
      /^DOCKER_PUBLISH_ADDRESS .* is at a host name of the service/,
    );
  });

  it.each<Record<string, string>>([
    {},
    { DOCKER_PUBLISH_ADDRESS: '127.0.0.2' },
    { DOCKER_PUBLISH_ADDRESS: '127.0.0.1', ...HTTPS },
    { DOCKER_PUBLISH_ADDRESS: '192.0.2.2', ...LAN },
  ])('may be any other, and none: %j', async (env) => {
    await expect(check({ ...DOCKER, ...env })).resolves.toBeUndefined();
  });
});

it.each(['docker', 'kubernetes'])(
  'the start says that sandboxes of %s call where sessions count',
  (driver) => {
    const env = { SANDBOX_DRIVER: driver, SANDBOX_IMAGE: 'sandbox', CALLBACK_URL: 'http://192.0.2.1:3000' };
    expect(callbackPortAdvice(readSettings(env))).toMatch(
      /set CALLBACK_PORT, and a CALLBACK_URL that leads there/,
    );
  },
);
