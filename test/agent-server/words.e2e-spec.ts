import { eventually } from '../support/eventually';
import { reply, type ScriptedModel } from '../support/model/scripted-model';
import { saying } from '../support/queue/queued-messages';
import type { ConversationService } from '../support/service/conversation-service';
import { StreamReader } from '../support/streams/stream-reader';
import { InterfaceWithAgents, PATIENCE_MS } from '../support/web-interface/interface-with-agents';
import { describeWithInterface } from '../support/web-interface/real-interface';

const ANSWER = 'Words come one after the other.';
const FIRST = 'Words';

describeWithInterface('what a real agent writes, while it writes it', () => {
  let visit: InterfaceWithAgents;
  let model: ScriptedModel;
  let service: ConversationService;
  let id: string;

  beforeAll(async () => {
    visit = await InterfaceWithAgents.start();
    ({ model, service } = visit);
    model.when('Tell me', reply.halting(ANSWER));
    id = await service.ready({ title: 'A stream' });
  });
  afterAll(() => visit.stop());

  const finished = (): Promise<void> =>
    eventually(async () => {
      expect((await service.record(id)).execution_status).toBe('finished');
    }, PATIENCE_MS);

  const listen = (): Promise<StreamReader> => {
    const url = `${service.app.url}/api/v1/conversation/${id}/events/stream`;
    return StreamReader.open(url, { key: service.owner.key });
  };

  const wordsOn = ({ messages }: StreamReader): unknown[] =>
    messages.filter(({ kind }) => kind === 'StreamingDeltaEvent').map(({ content }) => content);

  it('comes on the stream of its conversation', async () => {
    const stream = await listen();
    const words = (): unknown[] => wordsOn(stream);
    try {
      const sent = await service.call('POST', `/api/v1/conversations/${id}/pending-messages`, {
        body: { content: [{ type: 'text', text: 'Tell me something.' }] },
      });
      expect(sent.status).toBe(200);
      await eventually(() => expect(words().join('')).toBe(FIRST), PATIENCE_MS);
      expect(model.hanging).toBe(1);
      model.release();
      await eventually(() => expect(words().join('')).toBe(ANSWER), PATIENCE_MS);
      await finished();
      expect((await service.texts(id, 'agent', 1)).at(-1)).toBe(ANSWER);
      expect(words().filter((word) => word !== '').length).toBeGreaterThan(2);
    } finally {
      stream.close();
    }
  });

  it('comes from its first word on when it answers what its sandbox is resumed for', async () => {
    model.when('Answer me', reply.text('This was answered at once.'));
    model.when('Answer me again', reply.text('And so was this.'));
    const { sandbox_id: sandbox } = await service.record(id);
    for (const [question, answer, isThereBefore] of [
      ['Answer me.', 'This was answered at once.', true],
      ['Answer me again.', 'And so was this.', false],
    ] as const) {
      const before = isThereBefore ? await listen() : null;
      await service.call('POST', `/api/v1/sandboxes/${sandbox}/pause`);
      await eventually(async () => {
        expect((await service.record(id)).sandbox_status).toBe('PAUSED');
      }, PATIENCE_MS);
      const stream = before ?? (await listen());
      try {
        const sent = await service.call('POST', `/api/v1/app-conversations/${id}/send-message?wait=resume`, {
          body: saying(question),
        });
        expect(sent.body).toMatchObject({ queued: true });
        await eventually(async () => {
          expect(await service.texts(id, 'agent', 1)).toContain(answer);
        }, PATIENCE_MS);
        // The message may have come before the last of its words.
        await eventually(() => expect(wordsOn(stream).join('')).toBe(answer));
      } finally {
        stream.close();
      }
    }
  });

  it('shows in the web interface', async () => {
    const watched = await visit.open(`/conversations/${id}`);
    const { page } = watched;
    await page.getByTestId('agent-message').getByText(ANSWER).waitFor();
    await page.getByTestId('chat-input').fill('Tell me more.');
    await page.getByTestId('submit-button').click();
    await page.getByText(FIRST, { exact: true }).waitFor();
    expect(model.hanging).toBe(1);
    model.release();
    await eventually(async () => {
      expect(await page.getByTestId('agent-message').getByText(ANSWER).count()).toBe(2);
    }, PATIENCE_MS);
    expect(await watched.takeFaults()).toEqual([]);
  });
});
