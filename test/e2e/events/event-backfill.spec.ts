import { ConversationService } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';

describe('events that an agent server never reported', () => {
  let service: ConversationService;

  beforeAll(async () => {
    service = await ConversationService.start();
  });

  afterAll(() => service.close());

  it('are read back from its log when the sandbox runs again', async () => {
    const id = await service.ready({ initial_message: { content: [{ type: 'text', text: 'hello' }] } });
    await service.texts(id, 'agent', 1);
    const listed = await eventually(async () => {
      const found = await service.events(id);
      expect((await service.record(id)).execution_status).toBe('finished');
      return found;
    });
    const lost = listed.filter(({ kind }) => kind === 'MessageEvent').at(-1);
    const deleted = await service.app.db.query<[unknown[], number]>(
      'DELETE FROM events WHERE conversation_id = $1 AND seq >= (SELECT seq FROM events WHERE conversation_id = $1 AND id = $2) RETURNING id',
      [id, lost?.id],
    );
    expect(deleted[1]).toBeGreaterThan(0);
    const { sandbox_id: sandboxId } = await service.record(id);
    await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
    await eventually(async () => {
      expect((await service.record(id)).sandbox_status).toBe('PAUSED');
    });
    await service.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`);
    await eventually(async () => {
      expect((await service.events(id)).map((event) => event.id)).toContain(lost?.id);
    });
  });
});
