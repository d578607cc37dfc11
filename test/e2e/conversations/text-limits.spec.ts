import { randomUUID } from 'node:crypto';
import { cutText, digestOf, jsonBytes } from '../../../src/kernel/common';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { call } from '../../support/service/http';

interface Faults {
  readonly detail: readonly { readonly type: string; readonly ctx?: Record<string, unknown> }[];
}

const PATH = '/api/v1/app-conversations';
const long = (length: number): string => '🙂'.repeat(length);

describe('the limits of stored texts', () => {
  let doubled: DoubledService;

  beforeAll(async () => (doubled = await DoubledService.start()));
  afterAll(() => doubled.close());

  it.each([
    ['title', long(1_000), long(1_001), 'string_too_long'],
    ['llm_model', long(255), long(256), 'string_too_long'],
    ['selected_repository', `o/${long(2_046)}`, `o/${long(2_047)}`, 'string_too_long'],
    ['selected_branch', long(255), long(256), 'string_too_long'],
    ['pr_number', Array(1_000).fill(1), Array(1_001).fill(1), 'too_long'],
    ['tags', tags(50), tags(51), 'too_long'],
    ['tags', { a: 'x'.repeat(998) }, { a: 'x'.repeat(999) }, 'value_error'],
    ['tags', { a: [1e308] }, { a: Array(4).fill(1e308) }, 'value_error'],
    ['tags', { ['k'.repeat(100)]: 1 }, { ['k'.repeat(101)]: 1 }, 'value_error'],
    ['plugins', [{ source: 's'.repeat(2_048) }], [{ source: 's'.repeat(2_049) }], 'string_too_long'],
  ])(
    '%s of a start request is taken up to its limit, and a longer one is 422',
    async (field, most, more, type) => {
      const start = (value: unknown) =>
        doubled.service.call<Faults>('POST', PATH, { body: { [field]: value } });
      expect((await start(most)).status).toBe(200);
      const refused = await start(more);
      expect([refused.status, refused.body.detail.map((fault) => fault.type)]).toEqual([422, [type]]);
    },
  );

  it('say how long a title may be', async () => {
    const { id } = await doubled.conversation();
    const { body } = await doubled.service.call<Faults>('PATCH', `${PATH}/${id}`, {
      body: { title: long(1_001) },
    });
    expect(body.detail[0]).toMatchObject({
      msg: 'String should have at most 1000 characters',
      ctx: { max_length: 1_000 },
    });
  });

  it('cut what an agent reports, and the record goes on taking reports', async () => {
    const { id, sandboxKey } = await conversation();
    const report = (info: object) =>
      call(doubled.service.app, 'POST', '/api/v1/webhooks/conversations', {
        body: { id, ...info },
        headers: { 'X-Session-API-Key': sandboxKey },
      });
    const agent = { kind: 'k'.repeat(10_000), llm: { model: 'm'.repeat(10_000) } };
    expect((await report({ title: long(10_000), agent })).status).toBe(200);
    expect((await report({ title: long(10_000), execution_status: 'running' })).status).toBe(200);
    const [row] = await doubled.service.app.db.query<object[]>(
      'SELECT title, llm_model, agent_kind, execution_status FROM conversations WHERE id = $1',
      [id],
    );
    expect(row).toEqual({
      title: long(1_000),
      llm_model: 'm'.repeat(255),
      agent_kind: 'k'.repeat(100),
      execution_status: 'running',
    });
  });

  it('cut the name of a key', async () => {
    const { status, body } = await doubled.service.call<{ name: string }>('POST', '/api/keys', {
      body: { name: long(10_000) },
    });
    expect([status, body.name]).toEqual([expect.any(Number), long(255)]);
  });

  it('measure JSON as the database writes it', async () => {
    const values = [1e308, 1e-300, -1.5, 'é"\n\u0001🙂', { a: [1, 2, { 'b"': null }], c: [] }, true, {}];
    for (const value of values) {
      const [row] = await doubled.service.app.db.query<{ bytes: number }[]>(
        'SELECT octet_length($1::jsonb::text) AS bytes',
        [JSON.stringify(value)],
      );
      expect([value, jsonBytes(value) >= (row?.bytes ?? Infinity)]).toEqual([value, true]);
    }
    expect(cutText('🙂a\u0000', 3)).toBe('🙂a\uFFFD');
  });

  async function conversation(): Promise<{ id: string; sandboxKey: string }> {
    const { id, sandboxId } = await doubled.conversation();
    const sandboxKey = randomUUID();
    await doubled.service.app.db.query('UPDATE sandboxes SET session_key_digest = $2 WHERE id = $1', [
      sandboxId,
      digestOf(sandboxKey),
    ]);
    return { id, sandboxKey };
  }
});

function tags(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag ${index}`, index]));
}
