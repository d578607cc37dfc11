import { newId } from '../../../src/kernel/common';
import { awakeMs } from '../../support/awake-clock';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { timeBound } from '../../support/time-bound';
import { OK } from '../../support/webhooks/callback-receiver';
import { WebhookFixture } from '../../support/webhooks/webhook-fixture';

describe('a service that stops', () => {
  let database: TestDatabase;
  let fixture: WebhookFixture;
  let next: TestApp | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    fixture = await WebhookFixture.start({ database });
  });
  afterAll(async () => {
    await next?.close();
    await fixture.receiver.stop();
    await database.drop();
  });

  it('lets callbacks end that end soon, and leaves the others to the next, at once', async () => {
    const [soon, hanging] = [await fixture.makeWebhook(), await fixture.makeWebhook()];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    fixture.receiver.react(soon.path, async () => {
      await released;
      return OK;
    });
    fixture.receiver.react(hanging.path, () => 'hang');
    // Of each endpoint eight are on their way, and the others wait for their place.
    await fixture.publish(...Array.from({ length: 12 }, () => fixture.happening(newId())));
    await eventually(() => {
      expect(fixture.receiver.at(soon.path)).toHaveLength(8);
      expect(fixture.receiver.at(hanging.path)).toHaveLength(8);
    });
    const began = awakeMs();
    setTimeout(release, 1_000);
    await fixture.service.close();
    expect(awakeMs() - began).toBeLessThan(timeBound(5_000));
    expect(fixture.receiver.at(soon.path)).toHaveLength(8);

    fixture.receiver.react(hanging.path, () => OK);
    const env = { WEBHOOK_ALLOWED_HOSTS: fixture.receiver.host };
    next = await startTestApp({ database, env });
    const rows = () =>
      next?.db.query<{ webhook_id: string; state: string; attempts: number }[]>(
        'SELECT webhook_id, state, attempts FROM webhook_deliveries',
      );
    await eventually(async () => {
      const deliveries = await rows();
      expect(deliveries).toHaveLength(24);
      // What was given up is not counted as an attempt.
      for (const delivery of deliveries ?? [])
        expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
    });
    expect(fixture.receiver.at(soon.path)).toHaveLength(12);
    expect(fixture.receiver.at(hanging.path)).toHaveLength(20);
  });
});
