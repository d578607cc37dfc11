import { SpanKind } from '@opentelemetry/api';
import { Inject, Injectable } from '@nestjs/common';
import { cutText } from '../../../kernel/common';
import { MAX_MARK } from '../record/text-limits';
import { AgentServerClient } from '../../../sandboxes/agent-server';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { AgentListeners, AgentMessages, messageJson, type MessageOutcome } from '../../conversations';
import { SandboxLifecycle } from '../../../sandboxes/sandboxes';
import { failSpan, inSpan } from '../../../kernel/telemetry';
import type { QueueLease } from '../leases/queue-leases';
import { FaultPoints } from '../../../kernel/leases';
import type { QueueHead } from './delivery.repository';
import type { Target } from './delivery-targets';

/** Writes queued messages to agent servers, while the lease on their queue is held. */
@Injectable()
export class MessageSender {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly agentServers: AgentServerClient,
    private readonly messages: AgentMessages,
    private readonly lifecycle: SandboxLifecycle,
    private readonly listeners: AgentListeners,
    private readonly faultPoints: FaultPoints,
  ) {}

  /**
   * The last event of a conversation, after which a message is sent; null without one. Waits for streams that are
   * about to subscribe to what the agent writes.
   * @throws AgentServerError
   */
  async markOf({ server, conversationId }: Target): Promise<string | null> {
    const last = await this.agentServers.events.last(server, conversationId);
    await this.listeners.areThere(conversationId);
    return last === null ? null : cutText(last.id, MAX_MARK);
  }

  /** Failures to send are part of the outcome. @throws LeaseLostError */
  async send(lease: QueueLease, target: Target, message: QueueHead): Promise<MessageOutcome> {
    const outcome = await this.inSpan(target, message, () =>
      this.messages.send(
        target,
        messageJson(message.role, message.content, message.run),
        this.settings.SEND_TIMEOUT_SECONDS * 1000,
        {
          signal: lease.signal,
          beforeWrite: () => {
            lease.assertHeld();
            // Deferred, so that the fault point comes after the bytes that this turn of the event loop writes.
            setImmediate(() => void this.faultPoints.reached('written', lease.queueId));
          },
        },
      ),
    );
    await this.faultPoints.reached('sent', lease.queueId);
    this.lifecycle.touch(target.sandboxId);
    // The next run of the queue settles an aborted message.
    if (outcome.kind !== 'delivered') lease.assertHeld();
    return outcome;
  }

  private inSpan(
    { conversationId }: Target,
    { id }: QueueHead,
    send: () => Promise<MessageOutcome>,
  ): Promise<MessageOutcome> {
    const attributes = {
      'messaging.system': 'postgresql',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'pending_messages',
      'messaging.message.id': id,
      'gen_ai.conversation.id': conversationId,
    };
    return inSpan('process pending_messages', { kind: SpanKind.CONSUMER, attributes }, async (span) => {
      const outcome = await send();
      if (outcome.kind !== 'delivered') failSpan(span, outcome.kind);
      return outcome;
    });
  }
}
