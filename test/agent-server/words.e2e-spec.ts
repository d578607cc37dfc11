import { eventually } from '../support/eventually';
import { reply, type ScriptedModel } from '../support/model/scripted-model';
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

  it('comes on the stream of its conversation', async () => {
    const url = `${service.app.url}/api/v1/conversation/${id}/events/stream`;
    const stream = await StreamReader.open(url, { key: service.owner.key });
    const words = (): unknown[] =>
      stream.messages.filter(({ kind }) => kind === 'StreamingDeltaEvent').map(({ content }) => content);
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
