import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestGitServer } from '../../support/git/git-server';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

const PATH = '/api/v1/skills/search';

describe('GET /api/v1/skills/search', () => {
  let git: TestGitServer;
  let app: TestApp;
  let dataDir: string;
  beforeAll(async () => {
    git = await TestGitServer.start();
    const skill = (triggers: string) => `---\ntype: knowledge\ntriggers: [${triggers}]\n---\nText.`;
    await git.repository('market', {
      'skills/notes/SKILL.md': skill('changelog'),
      'skills/lint.md': skill(''),
      'skills/zip.md': skill(''),
    });
    dataDir = await mkdtemp(join(tmpdir(), 'skills-'));
    app = await startTestApp({ env: { APP_ROLE: 'api', GIT_ALLOWED_HOSTS: git.host, DATA_DIR: dataDir } });
  });
  afterAll(async () => {
    await app.close();
    await git.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('lists what the marketplaces of the caller offer, page by page, without those that cannot be read', async () => {
    const org = await makeOrg(app.db);
    const [admin, member] = [await makeCaller(app.db, org.id, 'admin'), await makeCaller(app.db, org.id)];
    const search = (query = '') => call(app, 'GET', `${PATH}${query}`, { key: member.key });
    expect((await search()).body).toEqual({ items: [], next_page_id: null });
    await call(app, 'POST', '/api/organizations/app', {
      key: admin.key,
      body: {
        registered_marketplaces: [
          { name: 'team', source: git.url('market') },
          { name: 'gone', source: git.url('gone') },
        ],
      },
    });
    const first = await search('?limit=2');
    expect(first).toMatchObject({
      status: 200,
      body: {
        items: [
          { name: 'lint', type: 'knowledge', source: 'marketplace:team', triggers: [] },
          { name: 'notes', type: 'knowledge', source: 'marketplace:team', triggers: ['changelog'] },
        ],
      },
    });
    const next = (first.body as { next_page_id: string }).next_page_id;
    expect(await search(`?limit=2&page_id=${encodeURIComponent(next)}`)).toMatchObject({
      body: { items: [{ name: 'zip' }], next_page_id: null },
    });
    expect((await search('?limit=0')).status).toBe(422);
  });
});
