import { Inject, Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '../../../kernel/common';
import { organizationShare, SETTINGS, type Settings } from '../../../kernel/config';
import type { SandboxView } from '../record/sandbox-view';
import { type CallScope, TooManyWaitingCallsError } from '../record/sandboxes.errors';

/** Calls of clients that wait for an agent server at a time, for each replica (docs/contract.md#waiting-calls). */
const MAX_PER_CONVERSATION = 16;
const MAX_PER_SANDBOX = 32;

/** A call and its caller. */
interface WaitingCall {
  readonly userId: string;
  readonly conversationId: string;
  readonly sandbox: Pick<SandboxView, 'id' | 'orgId'>;
}

/**
 * Bounds how many clients wait for the responses of agent servers: one conversation that hangs takes neither the
 * connections of a server that others share, nor the memory of the service, and neither does who has many of them.
 */
@Injectable()
export class WaitingCalls {
  private readonly shares: KeyedSemaphore<CallScope>;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.shares = new KeyedSemaphore(
      {
        conversation: MAX_PER_CONVERSATION,
        sandbox: MAX_PER_SANDBOX,
        user: settings.OPEN_PER_USER,
        organization: organizationShare(settings.WAITING_CALLS, settings),
        replica: settings.WAITING_CALLS,
      },
      (_most, scope) => new TooManyWaitingCallsError(scope),
    );
  }

  /**
   * Makes a call for a waiting client.
   * @throws TooManyWaitingCallsError when as many wait already; the call is not made then
   */
  run<Result>(
    {
      userId: user,
      conversationId: conversation,
      sandbox: { id: sandbox, orgId: organization },
    }: WaitingCall,
    call: () => Promise<Result>,
  ): Promise<Result> {
    return this.shares.during({ conversation, sandbox, user, organization, replica: '' }, call);
  }
}
