import { banner } from './banner';
import { readSettings } from './kernel/config';

const DRIVER = { name: 'machines' };
const CLONE = { cli: 'npm run --silent cli --', hasScripts: true };
const FIRST = { userId: 'u', email: 'me@example.com', orgId: 'o', orgName: 'Mine', key: 'ocs_first' };

describe('the banner', () => {
  it('says where the API, Swagger UI and the key are, and what to try next', () => {
    const text = banner(
      {
        settings: readSettings({ PUBLIC_URL: 'https://agents.example.com/' }),
        driver: DRIVER,
        webInterface: null,
        hasConsole: false,
        first: FIRST,
      },
      CLONE,
    );
    for (const part of [
      'https://agents.example.com\n',
      'https://agents.example.com/docs',
      'ocs_first',
      'me@example.com',
      'Sandboxes   machines\n',
      'npm run demo',
      'Ctrl-C',
    ])
      expect(text).toContain(part);
  });

  it('shows no key at later starts, nor one that the operator chose', () => {
    expect(
      banner(
        { settings: readSettings({}), driver: DRIVER, webInterface: null, hasConsole: false, first: null },
        CLONE,
      ),
    ).not.toContain('ocs_');
    const settings = readSettings({ BOOTSTRAP_KEY: 'ocs_first' });
    expect(
      banner({ settings, driver: DRIVER, webInterface: null, hasConsole: false, first: FIRST }, CLONE),
    ).not.toContain('ocs_first');
  });

  it.each([
    ['.data', 'npm run demo'],
    ['/srv/data', 'DATA_DIR=/srv/data npm run demo'],
    ["it's here", "DATA_DIR='it'\\''s here' npm run demo"],
  ])('has commands that find the data in %s', (DATA_DIR, command) => {
    const text = banner(
      {
        settings: readSettings({ DATA_DIR }),
        driver: DRIVER,
        webInterface: null,
        hasConsole: false,
        first: null,
      },
      CLONE,
    );
    expect(text).toContain(`              ${command}\n`);
  });

  it('has the commands that there are where there is no clone of the repository', () => {
    const text = banner(
      { settings: readSettings({}), driver: DRIVER, webInterface: null, hasConsole: false, first: null },
      { cli: 'npx org-conversation-service cli', hasScripts: false },
    );
    expect(text).toContain('KEY=$(npx org-conversation-service cli key:issue --owner ');
    expect(text).not.toContain('npm run');
  });

  it('says what the commands need beside a database of its own', () => {
    const env = { DATABASE_URL: 'postgres://u:secret@h/n', SECRET_KEY: 'abcdefghijabcdefghijabcdefghijab' };
    const text = banner(
      { settings: readSettings(env), driver: DRIVER, webInterface: null, hasConsole: false, first: null },
      CLONE,
    );
    expect(text).toContain('in a second terminal, with DATABASE_URL and SECRET_KEY set as here:\n');
    expect(text).not.toMatch(/secret|abcdef/);
  });

  it('says where the web interface is, or how to get it', () => {
    const said = (webInterface: { version: string } | null, env = {}) =>
      banner(
        { settings: readSettings(env), driver: DRIVER, webInterface, hasConsole: false, first: null },
        CLONE,
      );
    expect(said({ version: '1.2.3' })).toContain('Web         http://127.0.0.1:3000 (sign in with the key)');
    expect(said(null)).toContain('npm run web:install');
    expect(said(null, { WEB_UI: 'off' })).toContain('Web         switched off (WEB_UI=off)\n');
    expect(said(null, { WEB_UI: 'off' })).not.toContain('web:install');
  });

  it('says what an operator should know of the driver', () => {
    const driver = { ...DRIVER, operatorNote: 'isolates nothing' };
    expect(
      banner(
        { settings: readSettings({}), driver, webInterface: null, hasConsole: false, first: null },
        CLONE,
      ),
    ).toContain('Sandboxes   machines (isolates nothing)');
  });
});
