import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { agentServerVersion } from '../../scripts/agent-server-environment';
import { eventually } from '../support/eventually';
import { type AgentServerResponse, RealAgentServer } from '../support/agent-server/real-agent-server';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { type ReceivedWebhook, WebhookSink } from '../support/agent-server/webhook-sink';

/** How long a real agent may take for anything scripted. */
export const PATIENCE_MS = 60_000;

/** Whether it is the older of the versions that are known to work; docs/agent-servers.md says how they differ. */
export const IS_OLDER = agentServerVersion() === '1.43.1';

/** What the tests read of an event. */
export interface Event {
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly llm_message?: { readonly content: readonly { readonly text: string }[] };
}

/** A real agent server with a scripted model and somebody who takes its webhooks. */
export class Bench {
  private constructor(
    readonly model: ScriptedModel,
    readonly sink: WebhookSink,
    readonly server: RealAgentServer,
  ) {}

  /** Starts all three. */
  static async start(): Promise<Bench> {
    const model = await ScriptedModel.start();
    const sink = await WebhookSink.start();
    const server = await RealAgentServer.start({ webhookUrl: sink.baseUrl });
    return new Bench(model, sink, server);
  }

  /** Ends all three. */
  async stop(): Promise<void> {
    await this.server.stop();
    await this.sink.stop();
    await this.model.stop();
  }

  /** Starts a conversation under a new id, with more in the request or in its agent. */
  async begin(more: Record<string, unknown> = {}, agent: Record<string, unknown> = {}): Promise<string> {
    const id = randomUUID();
    const response = await this.beginAs(id, more, agent);
    expect(response).toMatchObject({ status: 201, body: { id, execution_status: 'idle', title: null } });
    return id;
  }

  beginAs(
    id: string,
    more: Record<string, unknown> = {},
    agent: Record<string, unknown> = {},
  ): Promise<AgentServerResponse> {
    return this.server.call('POST', '/api/conversations', {
      conversation_id: id,
      agent: { llm: this.model.llm, tools: [{ name: 'terminal' }], ...agent },
      workspace: { working_dir: join(this.server.directory, 'work', id) },
      autotitle: false,
      ...more,
    });
  }

  send(id: string, text: string, run = true): Promise<AgentServerResponse> {
    return this.server.call('POST', `/api/conversations/${id}/events`, message(text, run));
  }

  /** Waits for an execution status. */
  async becomes(id: string, status: string): Promise<void> {
    await eventually(async () => {
      const response = await this.server.call('GET', `/api/conversations/${id}`);
      expect(response.body).toMatchObject({ execution_status: status });
    }, PATIENCE_MS);
  }

  /**
   * Waits for an execution status and the end of the run: what the agent is told between the two is kept, but it does
   * not run for it.
   */
  async ends(id: string, status: string): Promise<void> {
    await this.becomes(id, status);
    await eventually(() => {
      const posted = this.eventWebhooks(id).flatMap(({ body }) => body as Event[]);
      expect(posted.at(-1)).toMatchObject({ key: 'full_state', value: { execution_status: status } });
    }, PATIENCE_MS);
  }

  /** The webhooks about a conversation's events. */
  eventWebhooks(id: string): readonly ReceivedWebhook[] {
    return this.sink.received.filter(({ path }) => path === `/events/${id.replaceAll('-', '')}`);
  }

  async eventsOf(id: string): Promise<readonly Event[]> {
    const response = await this.server.call('GET', `/api/conversations/${id}/events/search?limit=100`);
    expect(response.status).toBe(200);
    return (response.body as { items: Event[] }).items;
  }

  /** What user and agent have said. */
  async textsOf(id: string): Promise<string[]> {
    return (await this.eventsOf(id)).flatMap((event) => event.llm_message?.content[0]?.text ?? []);
  }

  /** Brings the agent into a command that takes a while. */
  async insideCommand(id: string, seconds: number): Promise<void> {
    this.model.when('take a while', reply.terminal(`sleep ${seconds}`), reply.text('Awake.'));
    expect((await this.send(id, 'take a while')).status).toBe(200);
    await eventually(async () => {
      const kinds = (await this.eventsOf(id)).map(({ kind }) => kind);
      expect(kinds).toContain('ActionEvent');
    }, PATIENCE_MS);
  }
}

/** A message as the agent server takes it. */
export function message(text: string, run = true): Record<string, unknown> {
  return { role: 'user', content: [{ type: 'text', text }], run };
}
