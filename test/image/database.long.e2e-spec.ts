import { randomBytes } from 'node:crypto';
import { describeWithEngine } from '../support/containers/container-engine';
import { ServiceContainer } from '../support/containers/service-container';
import { IMAGES, imagesEngine } from '../support/containers/service-images';
import { eventually } from '../support/eventually';
import { ConversationClient } from '../support/service/conversation-client';
import { call } from '../support/service/http';

const NAME = 'with-database';
const PASSWORD = randomBytes(8).toString('hex');
const PATIENCE_MS = 120_000;

const docker = (...args: string[]): Promise<string> => imagesEngine().docker(...args);

/** Its name in the network is `database`. */
async function startDatabase(): Promise<void> {
  const settings = [`POSTGRES_PASSWORD=${PASSWORD}`, 'POSTGRES_USER=service', 'POSTGRES_DB=service'];
  const env = settings.flatMap((setting) => ['--env', setting]);
  await docker('run', '--detach', '--network', NAME, '--name', 'database', ...env, IMAGES.postgres);
}

describeWithEngine('the image with a database of another container', () => {
  let container: ServiceContainer;
  const restarts = async (): Promise<number> =>
    Number(await docker('inspect', '--format', '{{.RestartCount}}', NAME));

  /** The service is there first: its restart policy starts it again until it finds the database. */
  beforeAll(async () => {
    await docker('network', 'create', NAME);
    const starting = ServiceContainer.start(NAME, [
      '--network',
      NAME,
      '--restart',
      'always',
      '--env',
      `DATABASE_URL=postgres://service:${PASSWORD}@database:5432/service`,
      '--env',
      `SECRET_KEY=${randomBytes(24).toString('base64')}`,
      '--health-interval',
      '1s',
      '--health-retries',
      '2',
    ]);
    const withoutDatabase = eventually(
      async () => expect(await restarts()).toBeGreaterThanOrEqual(2),
      PATIENCE_MS,
    );
    [container] = await Promise.all([starting, withoutDatabase.then(startDatabase)]);
  });

  it('starts no database of its own, and holds conversations', async () => {
    expect(await container.exec('ls', '/data')).not.toContain('postgres');
    const issued = await container.exec(
      'node',
      'dist/cli.js',
      'key:issue',
      '--email',
      'owner@localhost.example',
    );
    const { key } = JSON.parse(issued) as { key: string };
    const client = new ConversationClient(container, key);
    const id = await client.ready({ initial_message: { content: [{ type: 'text', text: 'Hello' }] } });
    expect(await client.texts(id, 'agent', 1)).toEqual([expect.stringContaining('Hello')]);
  });

  it('is unhealthy while the database is away, and recovers by itself', async () => {
    await container.becomes('healthy');
    const before = await restarts();
    await docker('stop', 'database');
    await container.becomes('unhealthy');
    expect((await call(container, 'GET', '/ready')).status).toBe(503);
    await docker('start', 'database');
    await container.becomes('healthy');
    expect(await restarts()).toBe(before);
  });
});
