import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { ModelKeyInvalidError } from '../../../agents/budgets';
import { ModelKeys } from '../../../agents/gateway-access';
import { KeyedSemaphore, MEBIBYTE } from '../../../kernel/common';
import { SETTINGS, type Settings, organizationShare } from '../../../kernel/config';
import { RequestLimitError, WindowCounts } from '../../../kernel/request-limits';
import { GatewayBusyError } from '../model-gateway.errors';

/** Calls of one conversation at a time: agents have some, and what they begin has some more. */
const CALLS_PER_CONVERSATION = 64;
/** Calls of one conversation in a minute: each has a row in the ledger for good. */
const CALLS_PER_MINUTE = 600;
/** So many times the largest body is read at a time of one conversation, which may send as slowly as it likes. */
const BODIES_BEING_READ = 2;
/** Calls at a time that a replica has begun to read. */
const CALLS_PER_REPLICA = 4_096;
/** Conversations whose organization a replica remembers; it never changes. */
const MOST_KNOWN = 50_000;
/** Bytes of bodies that a replica holds: each until its call has ended, as it may be sent again. */
const BODY_BYTES = 512 * MEBIBYTE;

const BEARER = /^Bearer +(\S+)$/i;

type Scope = 'conversation' | 'organization' | 'replica';

const WHOSE: Readonly<Record<Scope, string>> = {
  conversation: 'of this conversation',
  organization: 'of this organization',
  replica: 'of all conversations',
};

/** What is looked up of a conversation that calls. */
interface Looked {
  readonly caller: { readonly orgId: string };
}

/** Who may call the gateway, and how much at a time. */
@Injectable()
export class CallAdmission {
  private readonly calls: KeyedSemaphore<Scope>;
  /** Those of conversations whose organization is not known yet: as many, which hold no place of the replica. */
  private readonly unknown: KeyedSemaphore<'conversation' | 'replica'>;
  private readonly organizations = new Map<string, string>();
  private readonly bytes: KeyedSemaphore<Scope>;
  private readonly reading: KeyedSemaphore<'conversation'>;
  private readonly minutes = new WindowCounts(CALLS_PER_MINUTE);

  constructor(
    private readonly keys: ModelKeys,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const refusal = (_most: number, scope: Scope): Error => new GatewayBusyError(WHOSE[scope]);
    this.calls = new KeyedSemaphore(
      {
        conversation: CALLS_PER_CONVERSATION,
        organization: organizationShare(CALLS_PER_REPLICA, settings),
        replica: CALLS_PER_REPLICA,
      },
      refusal,
    );
    this.unknown = new KeyedSemaphore<'conversation' | 'replica'>(
      { conversation: CALLS_PER_CONVERSATION, replica: CALLS_PER_REPLICA },
      refusal,
    );
    const largest = settings.MODEL_GATEWAY_BODY_BYTES;
    const total = Math.max(BODY_BYTES, largest);
    const organization = Math.max(largest, organizationShare(total, settings));
    this.bytes = new KeyedSemaphore({ conversation: organization, organization, replica: total }, refusal);
    this.reading = new KeyedSemaphore<'conversation'>({ conversation: BODIES_BEING_READ * largest }, refusal);
  }

  /** The conversation that calls, by its key. @throws ModelKeyInvalidError */
  conversationOf(headers: IncomingHttpHeaders): string {
    const key = headers['x-api-key'] ?? BEARER.exec(headers.authorization ?? '')?.[1];
    const id = typeof key === 'string' ? this.keys.conversationOf(key) : null;
    if (id === null) throw new ModelKeyInvalidError();
    return id;
  }

  /**
   * Counts a call, of its conversation, its organization and the replica, and looks up who calls. Where the organization is not
   * known yet, it is counted once it is: until then it waits apart, so that nobody fills the replica by what is looked up.
   * @param lookUp finds the conversation; null where it is not there
   * @returns what was found, and what is to be called when the call has ended
   * @throws RequestLimitError, GatewayBusyError, ModelKeyInvalidError
   */
  async enter<Found extends Looked>(
    conversation: string,
    lookUp: () => Promise<Found | null>,
  ): Promise<{ readonly found: Found; readonly leave: () => void }> {
    const status = this.minutes.add(conversation);
    if (status.isExceeded) throw new RequestLimitError(status);
    const known = this.organizations.get(conversation);
    let leave =
      known === undefined
        ? this.unknown.take({ conversation, replica: 'all' })
        : this.calls.take({ conversation, organization: known, replica: 'all' });
    try {
      const found = await lookUp();
      if (found === null) throw new ModelKeyInvalidError();
      if (known === undefined) {
        const { orgId: organization } = found.caller;
        this.remember(conversation, organization);
        leave();
        leave = this.calls.take({ conversation, organization, replica: 'all' });
      }
      return { found, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Counts the body of a call.
   * @param bytes its length, or the most that it may be
   * @returns to be called when the call has ended
   * @throws GatewayBusyError
   */
  hold(conversation: string, organization: string, bytes: number): () => void {
    return this.bytes.take({ conversation, organization, replica: 'all' }, bytes);
  }

  /** Reads a body, for as long as which it counts as being read. @throws GatewayBusyError */
  async whileReading<Body>(conversation: string, bytes: number, read: () => Promise<Body>): Promise<Body> {
    const done = this.reading.take({ conversation }, bytes);
    try {
      return await read();
    } finally {
      done();
    }
  }

  private remember(conversation: string, organization: string): void {
    const [oldest] = this.organizations.keys();
    if (oldest !== undefined && this.organizations.size >= MOST_KNOWN) this.organizations.delete(oldest);
    this.organizations.set(conversation, organization);
  }

  /** Calls that are under way. */
  get open(): number {
    return this.calls.used('replica', 'all');
  }
}
