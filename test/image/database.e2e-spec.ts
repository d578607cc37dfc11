import { randomBytes } from 'node:crypto';
import { describeWithEngine } from '../support/containers/container-engine';
import { ServiceContainer } from '../support/containers/service-container';
import { IMAGES, imagesEngine } from '../support/containers/service-images';
import { ConversationClient } from '../support/service/conversation-client';
import { call } from '../support/service/http';

const NETWORK = 'with-database';
const PASSWORD = randomBytes(8).toString('hex');

describeWithEngine('the image with a database of another container', () => {
  let container: ServiceContainer;
  beforeAll(async () => {
    const docker = (...args: string[]) => imagesEngine().docker(...args);
    await docker('network', 'create', NETWORK);
    const settings = [`POSTGRES_PASSWORD=${PASSWORD}`, 'POSTGRES_USER=service', 'POSTGRES_DB=service'];
    const env = settings.flatMap((setting) => ['--env', setting]);
    await docker('run', '--detach', '--network', NETWORK, '--name', 'database', ...env, IMAGES.postgres);
    container = await ServiceContainer.start('with-database', [
      ...['--network', NETWORK, '--restart', 'always'],
      ...['--env', `DATABASE_URL=postgres://service:${PASSWORD}@database:5432/service`],
      ...['--env', `SECRET_KEY=${randomBytes(24).toString('base64')}`],
      ...['--health-interval', '1s', '--health-retries', '2'],
    ]);
  });

  it('starts no database of its own, and holds conversations', async () => {
    expect(await container.exec('ls', '/data')).not.toContain('postgres');
    const issued = await container.exec(
      ...['node', 'dist/cli.js', 'key:issue', '--email', 'owner@localhost.example'],
    );
    const { key } = JSON.parse(issued) as { key: string };
    const client = new ConversationClient(container, key);
    const id = await client.ready({ initial_message: { content: [{ type: 'text', text: 'Hello' }] } });
    expect(await client.texts(id, 'agent', 1)).toEqual([expect.stringContaining('Hello')]);
  });

  it('is unhealthy while the database is away, and recovers by itself', async () => {
    await container.becomes('healthy');
    await imagesEngine().docker('stop', 'database');
    await container.becomes('unhealthy');
    expect((await call(container, 'GET', '/ready')).status).toBe(503);
    await imagesEngine().docker('start', 'database');
    await container.becomes('healthy');
    expect(await container.inspect('{{.RestartCount}}')).toBe('0');
  });
});
