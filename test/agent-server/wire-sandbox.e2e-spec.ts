import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../support/eventually';
import { reply } from '../support/model/scripted-model';
import { Bench, type Event, PATIENCE_MS } from './bench';

/** What the service relies on, asserted of the real agent server itself: the sandbox around conversations. */

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.stop());
afterEach(() => bench.model.reset());

describe('sandbox', () => {
  let repository: string;

  beforeAll(() => {
    repository = mkdtempSync(join(tmpdir(), 'repository-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: repository,
      });
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), text);
    };
    git('init', '-q', '-b', 'main');
    write('.plugin/marketplace.json', marketplaceJson);
    write('plugins/zoo/.plugin/plugin.json', '{"name":"zoo"}');
    write('plugins/zoo/skills/zebra/SKILL.md', '---\nname: zebra\ntriggers: [zebra]\n---\nStripes.\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    git('checkout', '-q', '-b', 'feature');
    write('feature.txt', '1');
    git('add', '-A');
    git('commit', '-q', '-m', 'second');
    git('checkout', '-q', 'main');
  });

  afterAll(() => rmSync(repository, { recursive: true, force: true }));

  const marketplaceJson = JSON.stringify({
    name: 'zoos',
    owner: { name: 'o' },
    plugins: [{ name: 'zoo', source: './plugins/zoo' }],
  });

  const bash = (command: string, timeout = 60) =>
    bench.server.call('POST', '/api/bash/execute_bash_command', { command, timeout });

  it('clones a repository at a branch, and gives the reason of git when it cannot', async () => {
    const target = join(bench.server.directory, 'clone');
    const cloned = await bash(`git clone -q --branch feature file://${repository} ${target} && ls ${target}`);
    expect(cloned).toMatchObject({ status: 200, body: { exit_code: 0, stdout: 'feature.txt\nplugins\n' } });
    const failed = await bash(`git clone -q --branch nope file://${repository} ${target}-2`);
    expect(failed).toMatchObject({
      status: 200,
      body: { exit_code: 128, stderr: expect.stringContaining('Remote branch nope not found') as string },
    });
    expect(await bash('sleep 30', 1)).toMatchObject({ status: 200, body: { exit_code: -1, stdout: null } });
  });

  it('finds the skills of a project', async () => {
    const off = { load_public: false, load_user: false, load_org: false };
    const project = join(bench.server.directory, 'project');
    const skills = join(project, '.openhands', 'skills');
    await bash(`mkdir -p ${skills} && cp -r ${repository}/plugins/zoo/skills/zebra ${skills}`);
    const { body } = await bench.server.call('POST', '/api/skills', {
      ...off,
      load_project: true,
      project_dir: project,
    });
    expect(body).toMatchObject({ skills: [{ name: 'zebra', triggers: ['zebra'] }], sources: { project: 1 } });
  });

  it('loads plugins, and marketplaces given with the agent', async () => {
    const source = `file://${repository}`;
    const registered = [{ name: 'zoos', source, auto_load: true }];
    const ids = [
      await bench.begin({ plugins: [{ source, repo_path: 'plugins/zoo' }] }),
      await bench.begin({}, { agent_context: { registered_marketplaces: registered } }),
    ];
    for (const id of ids) {
      await bench.send(id, 'a zebra');
      await bench.becomes(id, 'finished');
      const said = (await bench.eventsOf(id)).find(({ source: by }) => by === 'user');
      expect(said).toMatchObject({ activated_skills: ['zebra'] });
      expect(JSON.stringify(bench.model.requests.at(-1)!.body)).toContain('Stripes.');
    }
  });

  it('answers 500 to every message of a conversation whose plugin cannot be fetched', async () => {
    const id = await bench.begin({ plugins: [{ source: 'file:///does/not/exist' }] });
    expect(await bench.send(id, 'hello')).toMatchObject({
      status: 500,
      body: { exception: expect.stringContaining('Failed to fetch plugin') as string },
    });
    expect(await bench.textsOf(id)).toEqual([]);
  });
});

describe('an agent server killed in mid-run', () => {
  it('comes back on the same folder with the conversation in error, and goes on', async () => {
    const id = await bench.begin({ tags: { kept: 'yes' } });
    bench.model.when('wait', reply.hang());
    await bench.send(id, 'wait');
    await eventually(() => expect(bench.model.hanging).toBe(1), PATIENCE_MS);
    await bench.server.kill('SIGKILL');
    const before = bench.sink.received.length;
    await bench.server.launch();
    expect((await bench.server.call('GET', `/api/conversations/${id}`)).body).toMatchObject({
      execution_status: 'error',
      tags: { kept: 'yes' },
    });
    await eventually(() => {
      const states = bench.sink.received.slice(before).flatMap(({ body }) => body as Event[]);
      const last = states.findLast(({ key }) => key === 'full_state');
      expect(last).toMatchObject({ value: { execution_status: 'error' } });
    }, PATIENCE_MS);
    expect(await bench.textsOf(id)).toEqual(['wait']);
    bench.model.reset();
    await bench.send(id, 'go on');
    await bench.becomes(id, 'finished');
  });

  it('has ended the command it was in', async () => {
    const id = await bench.begin();
    await bench.insideCommand(id, 600);
    await bench.server.kill('SIGKILL');
    await bench.server.launch();
    await bench.becomes(id, 'error');
    const failed = (await bench.eventsOf(id)).find(({ kind }) => kind === 'AgentErrorEvent');
    expect(failed).toBeDefined();
  });
});
