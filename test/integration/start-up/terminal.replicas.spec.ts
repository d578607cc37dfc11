import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../../support/database/postgres';
import { ServiceProcess } from '../../support/service/service-process';
import { ServiceTerminal } from '../../support/terminal/service-terminal';

const STEPS = [
  /^Creating a PostgreSQL cluster in .*postgres\.$/,
  /^Starting PostgreSQL\.$/,
  /^Bringing the schema of the database up to date\.$/,
  /^\d+ migrations ran\.$/,
];

const PROBES = ['/alive', '/ready', '/health', '/server_info', '/metrics'];

/** The sentence of a readable line of the log. */
function sentenceOf(line: string): string {
  const [, sentence = ''] = /^\[\d\d:\d\d:\d\d\] INFO: (.*)$/.exec(line) ?? [];
  return sentence;
}

describe('a first start', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'terminal-'));
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  it('shows its steps, then the banner, on a terminal; then what changes something, and no probes', async () => {
    const terminal = ServiceTerminal.start({ DATA_DIR: dataDir, NO_COLOR: '1' });
    try {
      const url = await terminal.ready;
      const [log = '', banner = ''] = terminal.output.split(
        '\nOrganization Conversation Service is ready.\n',
      );
      const sentences = log.trim().split('\n').map(sentenceOf);
      for (const step of STEPS) expect(sentences).toContainEqual(expect.stringMatching(step));
      expect(banner).toContain(url);
      for (const path of PROBES) await fetch(url + path);
      await fetch(`${url}/api/keys/current?ticket=hidden`);
      const line = await terminal.lineWith('GET /api/keys/current');
      expect(sentenceOf(line)).toMatch(/^GET \/api\/keys\/current 401 in \d+ ms {"requestId":"[\w-]+"}$/);
      expect(terminal.output).not.toMatch(/\/alive|\/ready|\/metrics|hidden/);
      expect(await terminal.stop()).toBe(0);
      expect(terminal.output).toMatch(/ INFO: The service is stopping\.\n$/);
    } finally {
      await terminal.stop();
    }
  });

  it('has coloured lines where the terminal shows colours', async () => {
    const database = await createTestDatabase();
    const terminal = ServiceTerminal.start({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      TERM: 'xterm-256color',
    });
    try {
      await terminal.ready;
      expect(terminal.output).toContain('\u001b[32mINFO\u001b[39m');
    } finally {
      await terminal.stop();
      await database.drop();
    }
  });

  it('logs the same steps as JSON lines elsewhere, and probes at the level debug', async () => {
    const service = ServiceProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'debug' });
    const url = await service.ready;
    for (const path of PROBES) await fetch(url + path);
    await service.stop();
    const lines = service.output.trim().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    for (const step of STEPS) expect(messages).toContainEqual(expect.stringMatching(step));
    for (const path of PROBES) expect(service.output).toMatch(new RegExp(`"level":20,.*"path":"${path}"`));
  });
});
