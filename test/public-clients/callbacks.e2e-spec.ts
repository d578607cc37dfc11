import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { PythonEnvironment } from '../../scripts/python-environment';
import { ensureStandardWebhooks } from '../../scripts/standardwebhooks-environment';
import { newId } from '../../src/kernel/common';
import { WebhookSecrets } from '../../src/outbound/webhooks/secrets/webhook-secrets';
import { eventually } from '../support/eventually';
import { WebhookFixture } from '../support/webhooks/webhook-fixture';

describe('the library of Standard Webhooks for Python', () => {
  let fixture: WebhookFixture;
  let python: PythonEnvironment;

  beforeAll(async () => {
    python = await ensureStandardWebhooks();
    fixture = await WebhookFixture.start();
  }, 600_000);
  afterAll(() => fixture.stop());

  const runPython = (input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const program = join(__dirname, 'verify-callbacks.py');
      const env = { PATH: process.env.PATH, ...python.variables };
      const child = execFile(python.command, [program], { env }, (error, out) => {
        if (error) reject(new Error(error.message));
        else resolve(JSON.parse(out));
      });
      child.stdin?.end(JSON.stringify(input));
    });

  it('verifies callbacks, with either secret during a rotation, and nothing else', async () => {
    const secrets = fixture.service.app.get(WebhookSecrets, { strict: false });
    const webhook = await fixture.makeWebhook({ kinds: ['conversation.created', 'settings.updated'] });
    const earlier = secrets.make();
    await fixture.db.query(
      `UPDATE webhooks SET sealed_previous_secret = $2, previous_secret_until = now() + interval '1 hour' WHERE id = $1`,
      [webhook.id, secrets.seal(webhook.id, earlier)],
    );
    await fixture.publish(fixture.happening(newId()), {
      kind: 'settings.updated',
      org_id: fixture.orgId,
      user_id: null,
      fields: ['„ß“', '🙂\u2028'],
    });
    const callbacks = await eventually(() => {
      // One may arrive twice where a pause of the service outlasts its lease.
      expect(fixture.idsAt(webhook).size).toBe(2);
      return fixture.receiver.at(webhook.path);
    });
    const calls = callbacks.flatMap(({ body, headers }) =>
      [webhook.secret, earlier, secrets.make()].map((secret) => ({ secret, body, headers })),
    );
    expect(await runPython(calls)).toEqual(
      callbacks.flatMap(({ payload }) => [
        { payload, changed: null },
        { payload, changed: null },
        { payload: null, changed: null },
      ]),
    );
  });
});
