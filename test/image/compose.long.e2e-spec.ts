import { rm } from 'node:fs/promises';
import { parse } from 'yaml';
import { EMBEDDED_ENTRYPOINT, makeEmbeddedRoot } from '../../scripts/images/embedded-root';
import { compiledSources, ROOT } from '../support/compiled/compiled-sources';
import { ComposeProject } from '../support/containers/compose-project';
import { describeWithEngine } from '../support/containers/container-engine';
import { imagesEngine } from '../support/containers/service-images';
import { eventually } from '../support/eventually';
import { inviteOne } from '../support/invitations/invitations';
import { ConversationClient } from '../support/service/conversation-client';
import { freePort } from '../support/service/free-port';
import { call } from '../support/service/http';

const SANDBOX_IMAGE = 'agent-server:embedded';
const HELLO = { initial_message: { content: [{ type: 'text', text: 'Hello' }] } };

interface CaughtMails {
  readonly messages: readonly { readonly ID: string; readonly To: readonly { readonly Address: string }[] }[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
}

interface ComposeService {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

/** With a small image of sandboxes. */
async function openWithContainers(): Promise<ComposeProject> {
  const root = await makeEmbeddedRoot(compiledSources('src'), ROOT);
  try {
    await imagesEngine().importRoot(SANDBOX_IMAGE, root, EMBEDDED_ENTRYPOINT);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  const SMTP_PORT = String(await freePort());
  return ComposeProject.open('compose.docker.yaml', {
    SANDBOX_IMAGE,
    LLM_MODEL: 'echo',
    SMTP_PORT,
    SMTP_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
    BRIDGE_ADDRESS: await imagesEngine().hostAddress(),
    DOCKER_SOCKET: new URL(imagesEngine().address).pathname,
  });
}

async function containersOf(sandboxId: string): Promise<string[]> {
  const names = await imagesEngine().docker('ps', '--quiet', '--filter', `name=sandbox-${sandboxId}`);
  return names.split('\n').filter((name) => name !== '');
}

describeWithEngine('compose', () => {
  describe.each([
    { file: 'compose.yaml', containers: 0, open: () => ComposeProject.open('compose.yaml') },
    { file: 'compose.docker.yaml', containers: 1, open: openWithContainers },
  ])('$file', ({ containers, open }) => {
    let project: ComposeProject;
    beforeAll(async () => {
      project = await open();
    });
    afterAll(async () => {
      await project.close();
    });

    it('asks for what has no default', async () => {
      for (const name of ['POSTGRES_PASSWORD', 'SECRET_KEY', 'METRICS_TOKEN', 'MAIL_PASSWORD'])
        await expect(project.compose(['config'], { [name]: '' })).rejects.toThrow(/set it in .env/);
    });

    it('hardens the service, opens ports on loopback only, and names versions of what others make', async () => {
      const { services } = parse(await project.compose(['config'])) as ComposeFile;
      expect(services.service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges'],
      });
      for (const { image, ports = [] } of Object.values(services)) {
        expect(image).toMatch(/^org-conversation-service$|:.*\d/);
        for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      }
    });

    it('shows mails and metrics to those only who have what .env says', async () => {
      await project.up();
      const metrics = { Authorization: `Bearer ${project.metricsToken}` };
      expect((await call(project, 'GET', '/metrics')).status).toBe(401);
      expect((await call(project, 'GET', '/metrics', { headers: metrics })).status).toBe(200);
      expect((await call({ url: project.mailUrl }, 'GET', '/api/v1/messages')).status).toBe(401);
    });

    it('runs conversations and sends mail, and keeps everything when it is taken down', async () => {
      await project.up();
      const key = await project.compose(['exec', '-T', 'service', 'cat', '/data/owner.key']);
      const client = new ConversationClient(project, key);
      const id = await client.ready(HELLO);
      const answers = await client.texts(id, 'agent', 1);
      expect(answers).toEqual([expect.stringContaining('Hello')]);

      const { org_id } = (await client.call<{ org_id: string }>('GET', '/api/keys/current')).body;
      const { invite_url } = await inviteOne(project, { orgId: org_id, key }, 'ann@example.org');
      const link = new URL(invite_url ?? '');
      expect(link.origin).toBe(project.url);
      const token = link.searchParams.get('token') ?? '';
      const mails = { url: project.mailUrl };
      const userAndPassword = Buffer.from(`mail:${project.mailPassword}`).toString('base64');
      const headers = { Authorization: `Basic ${userAndPassword}` };
      await eventually(async () => {
        const { messages } = (await call<CaughtMails>(mails, 'GET', '/api/v1/messages', { headers })).body;
        expect(messages.map(({ To }) => To[0]?.Address)).toEqual(['ann@example.org']);
        const path = `/api/v1/message/${messages[0]?.ID}/raw`;
        const mail = (await call<string>(mails, 'GET', path, { headers })).body;
        expect(mail.replaceAll('=\r\n', '')).toContain(token);
      });

      await project.compose(['down']);
      await project.up();
      expect(await client.texts(id, 'agent', 1)).toEqual(answers);
      const issued = await project.compose([
        ...[
          'exec',
          '-T',
          'service',
          'node',
          'dist/cli.js',
          'key:issue',
          '--email',
          'owner@localhost.example',
        ],
      ]);
      expect(issued).toContain('"key":"');

      const { sandbox_id } = await client.record(id);
      expect(await containersOf(sandbox_id)).toHaveLength(containers);
      await client.call('DELETE', `/api/v1/sandboxes/${sandbox_id}`);
      await eventually(async () => expect(await containersOf(sandbox_id)).toHaveLength(0));
    });
  });
});
