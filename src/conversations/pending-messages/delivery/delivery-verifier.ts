import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AgentServerClient, EventMarkUnknownError } from '../../../sandboxes/agent-server';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { DeliveryRepository, type QueueHead } from './delivery.repository';
import type { Target } from './delivery-targets';
import type { QueueLease } from '../leases/queue-leases';
import { z } from 'zod';

const text = z.object({
  type: z.literal('text').default('text'),
  text: z.string(),
  cache_prompt: z.boolean().nullish(),
});
const image = z.object({
  type: z.literal('image').default('image'),
  image_urls: z.array(z.string()),
  cache_prompt: z.boolean().nullish(),
});
const blocks = z.array(z.union([text, image]));

const userMessage = z.looseObject({
  kind: z.literal('MessageEvent'),
  source: z.literal('user'),
  llm_message: z.looseObject({ content: z.array(z.unknown()) }),
});

/**
 * Normalizes defaults, so that equal contents compare as equal.
 * @param content the parsed blocks
 */
export function contentFingerprint(content: unknown): string {
  const parsed = blocks.safeParse(content);
  if (!parsed.success) return JSON.stringify(content);
  return JSON.stringify(
    parsed.data.map((block) =>
      'text' in block
        ? ['text', block.text, block.cache_prompt ?? false]
        : ['image', block.image_urls, block.cache_prompt ?? false],
    ),
  );
}

/** The fingerprint of the user message in an event; null for any other event. */
export function messageFingerprint(event: unknown): string | null {
  const parsed = userMessage.safeParse(event);
  return parsed.success ? contentFingerprint(parsed.data.llm_message.content) : null;
}

/** Between the end of a tool and the moment when a message that waited for it is in the log. */
const MAX_GAP_MS = 1_000;

/**
 * Finds out whether a message arrived whose sending had no clear end
 * (docs/decisions/0006-settling-time-after-an-unknown-outcome.md).
 */
@Injectable()
export class DeliveryVerifier {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly agentServers: AgentServerClient,
    private readonly repository: DeliveryRepository,
  ) {}

  /**
   * While an agent works, its server may hold a message back and store it later: a missing message counts
   * only when the agent was idle before and after.
   * @returns `inconclusive` when that cannot be said yet
   * @throws AgentServerError when the agent server cannot be asked
   */
  async verify(
    lease: QueueLease,
    target: Target,
    message: QueueHead,
    signal: AbortSignal,
  ): Promise<'arrived' | 'missing' | 'inconclusive'> {
    if (await this.arrived(lease, target, message)) return 'arrived';
    if (await this.isWorking(target)) return 'inconclusive';
    const gapMs = Math.min(this.settings.DELIVERY_SETTLE_SECONDS * 100, MAX_GAP_MS);
    await sleep(gapMs, undefined, { signal });
    if (await this.arrived(lease, target, message)) return 'arrived';
    return (await this.isWorking(target)) ? 'inconclusive' : 'missing';
  }

  /**
   * True when the log has, after the mark, more user messages of equal content than other deliveries
   * account for. An unknown mark means that the log is not the one it was: then all of it counts.
   */
  private async arrived(lease: QueueLease, target: Target, message: QueueHead): Promise<boolean> {
    const wanted = contentFingerprint(JSON.parse(message.content));
    const mark = message.mark_event_id;
    try {
      return await this.exceeds(target, mark, wanted, await this.accounted(lease, wanted, { mark }));
    } catch (error) {
      if (!(error instanceof EventMarkUnknownError)) throw error;
      return this.exceeds(target, null, wanted, await this.accounted(lease, wanted, 'any'));
    }
  }

  /** How many deliveries of equal content were recorded. */
  private async accounted(
    lease: QueueLease,
    wanted: string,
    after: { readonly mark: string | null } | 'any',
  ): Promise<number> {
    let count = 0;
    for await (const content of this.repository.deliveredContents(lease.queueId, after))
      if (contentFingerprint(JSON.parse(content)) === wanted) count++;
    return count;
  }

  private async exceeds(
    { server, conversationId }: Target,
    afterEventId: string | null,
    wanted: string,
    accounted: number,
  ): Promise<boolean> {
    let left = accounted;
    for await (const event of this.agentServers.events.after(server, conversationId, afterEventId))
      if (messageFingerprint(event) === wanted && left-- === 0) return true;
    return false;
  }

  private async isWorking({ server, conversationId }: Target): Promise<boolean> {
    const info = await this.agentServers.getConversation(server, conversationId);
    return info?.execution_status === 'running';
  }
}
