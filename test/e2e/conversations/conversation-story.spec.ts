import { ConversationService } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';

function text(words: string): { type: string; text: string }[] {
  return [{ type: 'text', text: words }];
}

describe('a conversation from start to answer', () => {
  let service: ConversationService;

  beforeAll(async () => {
    service = await ConversationService.start();
  });

  afterAll(() => service.close());

  it('starts, takes what was queued meanwhile, answers follow-ups, and shows in the list', async () => {
    const task = await service.begin({
      title: 'The story',
      initial_message: { role: 'user', content: text('first') },
    });
    expect(task.status).toBe('WORKING');
    expect(task.app_conversation_id).toBeNull();

    const queued = await service.call(
      'POST',
      `/api/v1/conversations/task-${task.id.replaceAll('-', '')}/pending-messages`,
      {
        body: { content: text('second') },
      },
    );
    expect(queued.status).toBe(200);

    const ended = await service.ended(task.id);
    expect(ended).toMatchObject({ status: 'READY', detail: null });
    const id = ended.app_conversation_id ?? '';
    expect(await service.texts(id, 'user', 2)).toEqual(['first', 'second']);

    const sent = await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, {
      body: { content: text('third') },
    });
    expect(sent).toMatchObject({ status: 200, body: { success: true, sandbox_status: 'RUNNING' } });
    expect(await service.texts(id, 'user', 3)).toEqual(['first', 'second', 'third']);
    expect((await service.texts(id, 'agent', 3)).at(-1)).toContain('third');

    const record = await eventually(async () => {
      const found = await service.record(id);
      expect(found.execution_status).toBe('finished');
      return found;
    });
    expect(record).toMatchObject({
      title: 'The story',
      sandbox_status: 'RUNNING',
      sandbox_id: ended.sandbox_id,
    });

    const [event] = await service.events(id);
    const one = await service.call('GET', `/api/conversations/${id}/events/${event?.id ?? ''}`);
    expect(one).toMatchObject({ status: 200, body: { id: event?.id, kind: event?.kind } });
  });
});
