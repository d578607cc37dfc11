import { ConversationService } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { newId } from '../../../src/kernel/common';
import { StreamReader } from '../../support/streams/stream-reader';

describe('the stream of a conversation, from its start on', () => {
  let service: ConversationService;
  let stream: StreamReader | undefined;

  beforeAll(async () => {
    service = await ConversationService.start();
  });

  afterAll(async () => {
    stream?.close();
    await service.close();
  });

  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

  /** Types of what the service told, each with the status it is about. */
  const told = (): string[] =>
    (stream?.events ?? [])
      .filter(({ type }) => type.includes('.'))
      .map(({ type, data }) => {
        const { status } = (JSON.parse(data) as { data: { status?: string } }).data;
        return status === undefined ? type : `${type} ${status}`;
      });

  it('tells each step, what becomes of messages, and where the sandbox is, so that nobody has to ask', async () => {
    const id = newId();
    const { status } = await service.call('POST', '/api/v1/app-conversations', {
      body: { conversation_id: id, initial_message: text('first') },
    });
    expect(status).toBe(200);
    const url = `${service.app.url}/api/v1/conversation/${id}/events/stream?after=0`;
    stream = await StreamReader.open(url, { key: service.owner.key });
    const becomes = (...expected: string[]): Promise<void> =>
      eventually(() => expect(told()).toEqual(expect.arrayContaining(expected)));

    await becomes('sandbox.status_changed RUNNING', 'start_task.status_changed READY', 'message.delivered');
    const steps = told().filter((one) => one.startsWith('start_task.'));
    expect(steps.at(-1)).toBe('start_task.status_changed READY');
    expect(new Set(steps).size).toBe(steps.length);
    expect(steps.length).toBeGreaterThan(2);
    const order = [
      'conversation.created',
      'message.queued',
      'start_task.status_changed READY',
      'message.delivered',
    ];
    expect(order.map((one) => told().indexOf(one))).toEqual(
      order.map((one) => told().indexOf(one)).toSorted((a, b) => a - b),
    );

    const { sandbox_id } = await service.record(id);
    await service.call('POST', `/api/v1/sandboxes/${sandbox_id}/pause`);
    await becomes('sandbox.status_changed PAUSED');
    await eventually(async () => expect((await service.record(id)).sandbox_status).toBe('PAUSED'));
    // What is told more than once is told of what happened more than once.
    const before = told().length;
    await service.call('POST', `/api/v1/sandboxes/${sandbox_id}/resume`);
    const queued = await service.call('POST', `/api/v1/conversations/${id}/pending-messages`, {
      body: text('second'),
    });
    expect(queued.status).toBe(200);
    await eventually(() => {
      const later = ['message.queued', 'sandbox.status_changed RUNNING', 'message.delivered'];
      expect(told().slice(before)).toEqual(expect.arrayContaining(later));
    });
    expect(stream.isClosed).toBe(false);
  });
});
