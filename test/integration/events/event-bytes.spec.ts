import { randomUUID } from 'node:crypto';
import { digestOf } from '../../../src/kernel/common';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import { runNow } from '../../support/service/recurring-jobs';

const KIBIBYTE = 1024;

describe('the bytes of stored events', () => {
  let doubled: DoubledService;

  beforeAll(async () => {
    doubled = await DoubledService.start({
      EVENT_MEBIBYTES_PER_CONVERSATION: '1',
      EVENT_MEBIBYTES_PER_ORG: '3',
    });
  });
  afterAll(() => doubled.close());

  async function conversation(): Promise<{ id: string; key: string }> {
    const { id, sandboxId } = await doubled.conversation();
    const key = randomUUID();
    const { db } = doubled.service.app;
    await db.query('UPDATE sandboxes SET session_key_digest = $2 WHERE id = $1', [sandboxId, digestOf(key)]);
    return { id, key };
  }

  function post(
    { id, key }: { id: string; key: string },
    kibibytes: number,
  ): Promise<HttpResponse<ErrorBody>> {
    const event = { id: randomUUID(), kind: 'PauseEvent', text: 'x'.repeat(kibibytes * KIBIBYTE) };
    return call<ErrorBody>(doubled.service.app, 'POST', `/api/v1/webhooks/events/${id}`, {
      body: [event],
      headers: { 'X-Session-API-Key': key },
    });
  }

  const codes = (responses: readonly HttpResponse<ErrorBody>[]): unknown[] =>
    responses.map(({ status, body }) => (status === 200 ? 200 : `${status} ${body.code}`)).sort();

  it('are limited exactly, for a conversation and for all of an organization, whoever reports at once', async () => {
    const one = await conversation();
    const ofOne = codes(await Promise.all(Array.from({ length: 5 }, () => post(one, 300))));
    expect(ofOne).toEqual([200, 200, 200, ...Array<string>(2).fill('413 conversation_event_bytes_exceeded')]);

    const many = await Promise.all(Array.from({ length: 12 }, conversation));
    const ofMany = codes(await Promise.all(many.map((each) => post(each, 300))));
    expect(ofMany.filter((code) => code === 200)).toHaveLength(7);
    expect(new Set(ofMany)).toEqual(new Set([200, '413 organization_event_bytes_exceeded']));

    const [row] = await doubled.service.app.db.query<object[]>(
      `SELECT (SELECT sum(bytes) FROM event_bytes) = (SELECT sum(octet_length(payload)) FROM events) AS org,
              (SELECT sum(bytes) FROM event_logs) = (SELECT sum(octet_length(payload)) FROM events) AS logs`,
    );
    expect(row).toEqual({ org: true, logs: true });
    expect(await warnings()).toContain('organization_events');
  });

  /** What the metric says once its job has looked. */
  async function warnings(): Promise<string> {
    const { db, url } = doubled.service.app;
    await runNow(db, 'storage-use');
    return eventually(async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const line = /storage_limit_used_ratio\{limit="organization_events"\} 0\.9/.exec(text);
      if (line === null) throw new Error('The metric is not there yet.');
      return line[0];
    });
  }
});
