import { banner } from './banner';
import { readSettings } from './config';

const FIRST = { userId: 'u', email: 'me@example.com', orgId: 'o', orgName: 'Mine', key: 'ocs_first' };

describe('the banner', () => {
  it('says where the API, Swagger UI and the key are, and what to try next', () => {
    const text = banner(readSettings({ PUBLIC_URL: 'https://agents.example.com/' }), FIRST);
    for (const part of [
      'https://agents.example.com\n',
      'https://agents.example.com/docs',
      'ocs_first',
      'me@example.com',
      'embedded',
      'npm run demo',
      'Ctrl-C',
    ])
      expect(text).toContain(part);
  });

  it('shows no key at later starts, nor one that the operator chose', () => {
    expect(banner(readSettings({}), null)).not.toContain('ocs_');
    expect(banner(readSettings({ BOOTSTRAP_KEY: 'ocs_first' }), FIRST)).not.toContain('ocs_first');
  });

  it('says that the process driver isolates nothing without root', () => {
    const settings = readSettings({ SANDBOX_DRIVER: 'process', SANDBOX_ISOLATION: 'none' });
    const isRoot = process.getuid?.() === 0;
    expect(banner(settings, null).includes('isolates nothing')).toBe(!isRoot);
  });
});
