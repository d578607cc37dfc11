import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  AgentServerClient,
  AgentServerRefusedError,
  AgentServerUnavailableError,
} from '../../../sandboxes/agent-server';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { type RunningSandbox, SandboxReader, WaitingCalls } from '../../../sandboxes/sandboxes';
import { AgentRuns } from '../agent-messages/agent-runs';
import { AgentWork } from '../agent-messages/agent-work';
import { UnknownToAgentServerError } from '../send-message/send-message.errors';
import { running } from '../send-message/send-message.service';
import type { TargetConversation } from '../send-message/send-target.read-model';

/** Agents of conversations whose sandbox runs, to be stopped. */
@Injectable()
export class RunningAgents {
  private readonly timeoutMs: number;
  /** Apart from messages: where as many wait as may, the agent that they wait for can still be stopped. */
  private readonly waiting: WaitingCalls;

  constructor(
    private readonly sandboxes: SandboxReader,
    private readonly runs: AgentRuns,
    private readonly work: AgentWork,
    private readonly agentServers: AgentServerClient,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.timeoutMs = settings.SEND_TIMEOUT_SECONDS * 1000;
    this.waiting = new WaitingCalls(settings);
  }

  /** Takes its turn from an agent that waits for one. @returns whether it did */
  takeTurn(transaction: EntityManager, conversationId: string): Promise<boolean> {
    return this.runs.cancelIn(transaction, conversationId);
  }

  /**
   * Stops a run, also in the middle of a tool, and one that waits for its turn.
   * @param userId whose call it is
   * @param keepsTurn whether an agent that waits for its turn still does where this fails
   * @throws TooManyWaitingCallsError, UnknownToAgentServerError, AgentServerError
   */
  async stop(
    conversation: TargetConversation,
    sandbox: RunningSandbox,
    userId: string,
    keepsTurn: boolean,
  ): Promise<void> {
    const { id } = conversation;
    const isKnown = await this.waiting.run({ userId, conversationId: id, sandbox }, async () => {
      // Before the agent stops: it could begin right after.
      const wasPlanned = await this.runs.cancel(id);
      try {
        return await this.interrupt(conversation, sandbox);
      } catch (error) {
        if (wasPlanned && keepsTurn)
          await this.runs.later(sandbox.agentServer, { conversationId: id, sandboxId: sandbox.id });
        throw error;
      }
    });
    if (!isKnown) throw new UnknownToAgentServerError();
  }

  /**
   * Whether an agent is at work, waits for its turn, or is about to begin.
   * @param userId who asks
   * @throws TooManyWaitingCallsError, AgentServerError
   */
  async isAtWork({ id }: TargetConversation, sandbox: RunningSandbox, userId: string): Promise<boolean> {
    const place = { server: sandbox.agentServer, conversationId: id };
    try {
      return await this.waiting.run({ userId, conversationId: id, sandbox }, () =>
        this.work.isUnderWay(place, { timeoutMs: this.timeoutMs }),
      );
    } catch (error) {
      // It has no such conversation.
      if (error instanceof AgentServerRefusedError && error.responseStatus === 404) return false;
      throw error;
    }
  }

  private async interrupt(
    conversation: TargetConversation,
    { id, agentServer }: RunningSandbox,
  ): Promise<boolean> {
    try {
      return await this.agentServers.interrupt(agentServer, conversation.id, { timeoutMs: this.timeoutMs });
    } catch (error) {
      // It may just have been paused or deleted: then the caller gets that error.
      if (error instanceof AgentServerUnavailableError && !error.mayHaveArrived)
        running(conversation, await this.sandboxes.byId(id));
      throw error;
    }
  }
}
