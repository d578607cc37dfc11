import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/compiled/compiled-sources';
import { describeWithEngine } from '../support/containers/container-engine';
import { ServiceContainer } from '../support/containers/service-container';
import { call } from '../support/service/http';

/** An extension as an ES module, by hand. */
const GREETING = `
import { Controller, Get, Module } from '@nestjs/common';
import { defineExtension, Public } from 'org-conversation-service';

class Greeting {
  greet() {
    return { text: 'Hello' };
  }
}
const { greet } = Object.getOwnPropertyDescriptors(Greeting.prototype);
for (const decorate of [Get(), Public()]) decorate(Greeting.prototype, 'greet', greet);
Controller('api/greeting')(Greeting);

class GreetingModule {}
Module({ controllers: [Greeting] })(GreetingModule);

export default defineExtension({ name: 'greeting', modules: [GreetingModule] });
`;

describeWithEngine('extensions that are mounted into the image', () => {
  let folder: string;
  let container: ServiceContainer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'extensions-'));
    const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
    const options = ['--out-dir', folder, '--strip-leading-paths', '--config-file', '.swcrc', '--quiet'];
    await promisify(execFile)(process.execPath, [swc, 'examples/enterprise-extension/src', ...options], {
      cwd: ROOT,
    });
    const example = 'enterprise-extension';
    await cp(join(ROOT, 'examples', example, 'pages'), join(folder, example, 'pages'), { recursive: true });
    await writeFile(join(folder, 'greeting.mjs'), GREETING);
    await chmod(folder, 0o755);
    const files = ['/extensions/enterprise-extension/src/extension.js', '/extensions/greeting.mjs'];
    container = await ServiceContainer.start('extended', [
      '--volume',
      `${folder}:/extensions:ro`,
      '--env',
      `EXTENSIONS=${files.join()}`,
      '--env',
      'ACME_OUTBOX=/tmp/outbox',
    ]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('have their routes, permissions and tables there', async () => {
    const key = await container.ownerKey();
    const me = await call<{ org_id: string }>(container, 'GET', '/api/v1/users/me', { key });
    const path = `/api/organizations/${me.body.org_id}/acme-budgets`;
    const body = { limit_dollars: 5, user_ids: [] };
    const budgets = [{ department: 'research', limit_dollars: 5, spent_dollars: 0 }];
    expect((await call(container, 'PUT', `${path}/research`, { body })).status).toBe(401);
    expect(await call(container, 'PUT', `${path}/research`, { key, body })).toMatchObject({
      status: 200,
      body: budgets,
    });
    expect((await call(container, 'GET', path, { key })).body).toEqual(budgets);
  });

  it('may be ES modules', async () => {
    expect(await call(container, 'GET', '/api/greeting')).toMatchObject({
      status: 200,
      body: { text: 'Hello' },
    });
  });
});
