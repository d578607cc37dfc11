import { startTestApp, type TestApp } from '../support/service/app';
import { eventually } from '../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { TestGitServer } from '../support/git/git-server';
import { call } from '../support/service/http';
import { manifest } from '../support/git/marketplaces';
import { processesIn } from '../support/processes-in';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PATH = '/api/v1/skills/marketplace-skills';

describe('POST /api/v1/skills/marketplace-skills', () => {
  let git: TestGitServer;
  let service: TestApp;
  let admin: TestCaller;
  let member: TestCaller;
  let dataDir: string;

  beforeAll(async () => {
    git = await TestGitServer.start();
    await git.repository('market', {
      '.claude-plugin/marketplace.json': manifest([{ name: 'review', description: 'Reviews.' }]),
    });
    dataDir = await mkdtemp(join(tmpdir(), 'marketplaces-'));
    service = await startTestApp({ env: { GIT_ALLOWED_HOSTS: git.host, DATA_DIR: dataDir } });
    const org = await makeOrg(service.db);
    admin = await makeCaller(service.db, org.id, 'admin');
    member = await makeCaller(service.db, org.id, 'member');
  });
  afterAll(async () => {
    await service.close();
    await git.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('shows an admin what marketplaces offer, and what went wrong', async () => {
    const source = git.url('market');
    const response = await call(service, 'POST', PATH, {
      key: admin.key,
      body: [
        { name: 'team', source, ref: 'main', repo_path: null, auto_load: true },
        { name: 'gone', source: git.url('gone') },
      ],
    });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      skills: [],
      plugins: [{ name: 'review', source, marketplace: 'team', description: 'Reviews.' }],
      marketplace_skills: { team: [] },
      errors: ['gone: there is no such repository'],
    });
  });

  it('answers an empty list with nothing', async () => {
    const { status, body } = await call(service, 'POST', PATH, { key: admin.key, body: [] });
    expect([status, body]).toEqual([200, { skills: [], plugins: [], marketplace_skills: {}, errors: [] }]);
  });

  it('is for callers who may edit the settings of the organization', async () => {
    expect((await call(service, 'POST', PATH, { body: [] })).status).toBe(401);
    const { status, body } = await call(service, 'POST', PATH, { key: member.key, body: [] });
    expect([status, body]).toEqual([403, expect.objectContaining({ code: 'permission_denied' })]);
  });

  it('takes at most 20 registrations, each by the rules', async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `m${index}`, source: 'github:a/b' }));
    const tooMany = await call(service, 'POST', PATH, { key: admin.key, body: many });
    expect(tooMany.status).toBe(422);
    const bad = await call(service, 'POST', PATH, {
      key: admin.key,
      body: [{ name: '1', source: 'ext::sh -c id', ref: '-x', repo_path: '../x' }],
    });
    expect(bad.status).toBe(422);
    expect(bad.body).toMatchObject({
      detail: ['name', 'source', 'ref', 'repo_path'].map((field) => ({
        type: 'value_error',
        loc: ['body', 0, field],
      })),
    });
  });

  it('stops git when the caller disconnects', async () => {
    git.behaviour = { hangOn: 'slow' };
    const gone = new AbortController();
    const response = fetch(service.url + PATH, {
      method: 'POST',
      headers: { 'X-Access-Token': admin.key, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ name: 'slow', source: git.url('slow') }]),
      signal: gone.signal,
    });
    const refused = expect(response).rejects.toThrow();
    await eventually(async () => expect(await processesIn(dataDir)).not.toEqual([]));
    gone.abort();
    await refused;
    await eventually(async () => expect(await processesIn(dataDir)).toEqual([]));
  });
});
