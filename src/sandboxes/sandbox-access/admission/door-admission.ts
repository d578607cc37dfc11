import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  Authentication,
  type KeyHolder,
  mayEnter,
  OF_SANDBOX,
  OrgResolution,
  type RequestIdentity,
  type ResourceAsker,
  setIdentity,
  UnauthenticatedError,
} from '../../../kernel/auth';
import { parseUuid } from '../../../kernel/common';
import { FailedCredentials } from '../../../kernel/http';
import { RequestLimitError, RequestLimits, type RateLimitStatus } from '../../../kernel/request-limits';
import { SandboxConversations, SandboxNotFoundError, type SandboxView, running } from '../../sandboxes';
import { PathNotPassableError, SharedAgentServerError } from '../sandbox-access.errors';
import { AdmissionMemory, type Admission } from './admission-memory';
import { DoorSandboxes } from './door-sandboxes';
import type { DoorTarget } from './door-target';

/** Paths about the agent server itself. */
const SERVER_PATHS = new Set(['/health', '/alive', '/ready', '/server_info']);

/** Encoded characters do not match: what is compared must be what the agent server reads. */
const CONVERSATION_PATH = /^\/(?:api\/conversations|sockets\/events)\/([0-9a-f-]+)((?:\/[\w/-]*)?)$/i;

/** Shell and editor below a conversation's path, which reach everything there is on the agent server. */
const SERVER_WIDE = /^\/+(?:bash|vscode)(?:\/|$)/i;

/**
 * The conversation that a path at an agent server belongs to.
 * @returns its id; `null` for a path that belongs to no conversation and that anybody may see; undefined for any other
 *   path
 */
function conversationOfPath(path: string): string | null | undefined {
  if (SERVER_PATHS.has(path)) return null;
  const [, text, rest = ''] = CONVERSATION_PATH.exec(path) ?? [];
  return text === undefined || SERVER_WIDE.test(rest) ? undefined : (parseUuid(text) ?? undefined);
}

const CREDENTIALS = ['x-access-token', 'authorization', 'x-session-api-key'];

/** Who was authenticated, and their rate limit status in the door's bucket; null where that has no limit. */
export interface Authenticated {
  readonly holder: KeyHolder;
  readonly standing: RateLimitStatus | null;
}

/** A request, with what authentication finds out about it. */
export interface DoorRequest {
  readonly request: IncomingMessage;
  readonly target: DoorTarget;
  identity: RequestIdentity | null;
  standing: RateLimitStatus | null;
}

/** Decides who may pass through the door, and to what (docs/sandboxes.md#the-door). */
@Injectable()
export class DoorAdmission {
  constructor(
    private readonly memory: AdmissionMemory,
    private readonly authentication: Authentication,
    private readonly failed: FailedCredentials,
    private readonly limits: RequestLimits,
    private readonly organizations: OrgResolution,
    private readonly sandboxes: DoorSandboxes,
    private readonly conversations: SandboxConversations,
  ) {}

  /**
   * Whether a page of the service sent a request for somebody who is signed in there, and so needs no key. A session that does
   * not work counts as any credential that does not.
   * @throws TooManyFailedCredentialsError
   */
  async isSignedIn(request: IncomingMessage): Promise<boolean> {
    if (!this.authentication.bringsSession(request)) return false;
    try {
      await this.failed.watch(request, 'door ', () => this.authentication.caller(request));
      return true;
    } catch (error) {
      if (error instanceof UnauthenticatedError) return false;
      throw error;
    }
  }

  /**
   * Authenticates a request and counts it against the request limit.
   * @param headers those of the request, or a key sent another way, as `x-session-api-key`
   * @throws UnauthenticatedError, TooManyFailedCredentialsError, RequestLimitError
   */
  async authenticate(request: IncomingMessage, headers: IncomingHttpHeaders): Promise<Authenticated> {
    const holder = await this.failed.watch(
      request,
      `door ${String(headers['x-session-api-key'] ?? '')}`,
      () => this.authentication.userOrSandbox(request, headers),
    );
    setIdentity(request, identityOf(holder));
    return { holder, standing: this.count(holder) };
  }

  /**
   * {@link authenticate} and {@link admit} in one, for a request that is decided by its headers: reuses a decision made
   * a moment ago.
   * @param asked gets who asks, and their rate limit status, whatever becomes of the request
   */
  async enter(doorRequest: DoorRequest): Promise<Admission> {
    const { request, target } = doorRequest;
    const { headers } = request;
    const known = this.memory.find(headers, target);
    if (known !== undefined) {
      doorRequest.identity = known.identity;
      setIdentity(request, known.identity);
      doorRequest.standing = this.count(known.holder);
      return known.admission;
    }
    const remember = this.memory.begin(headers, target);
    const { holder, standing } = await this.authenticate(request, headers);
    doorRequest.identity = identityOf(holder);
    doorRequest.standing = standing;
    const admission = await this.admit(holder, target, headers['x-org-id']?.toString());
    doorRequest.identity = { ...doorRequest.identity, reachedOrgId: admission.sandbox.orgId };
    setIdentity(request, doorRequest.identity);
    remember({ holder, admission, identity: doorRequest.identity });
    return admission;
  }

  /** Counts a request of an authenticated caller. @throws RequestLimitError */
  private count(holder: KeyHolder): RateLimitStatus | null {
    const [subject, userId] =
      'user' in holder
        ? [String(holder.user.keyId), holder.user.userId]
        : [holder.sandbox.sandboxId, holder.sandbox.createdByUserId];
    const standing = subject === null ? null : this.limits.countFor('door', subject, userId);
    if (standing?.isExceeded === true) throw new RequestLimitError(standing);
    return standing;
  }

  /**
   * Admits an authenticated caller.
   * @param orgHeader the request's `X-Org-Id`
   * @throws InvalidSelectorError, PathNotPassableError, SandboxNotFoundError, SharedAgentServerError,
   *   SandboxFailedError, SandboxNotRunningError
   */
  async admit(holder: KeyHolder, target: DoorTarget, orgHeader: string | undefined): Promise<Admission> {
    const selectedOrgId = this.organizations.selector('user' in holder ? orgHeader : undefined);
    if (!target.isPassable) throw new PathNotPassableError();
    const id = parseUuid(target.sandboxId);
    const sandbox = id === null ? null : await this.sandboxes.recent(id);
    if (sandbox === null || !(await this.isTheirs(holder, sandbox, selectedOrgId)))
      throw new SandboxNotFoundError();
    const reached = running(sandbox);
    if (reached.sharesServer) await this.assertOwnConversation(sandbox.id, target.path);
    const { keyId = null, sessionId = null, keyExpiresAt = null } = 'user' in holder ? holder.user : {};
    return { sandbox: reached, keyId, sessionId, keyExpiresAt };
  }

  /**
   * A sandbox is for its creator only, while a member of its organization, whether the key is the user's or the
   * sandbox's.
   */
  private async isTheirs(
    holder: KeyHolder,
    { id, orgId, createdByUserId, byLink }: SandboxView,
    selectedOrgId: string | null,
  ): Promise<boolean> {
    if ('sandbox' in holder ? holder.sandbox.sandboxId !== id : !mayEnter(holder.user, { byLink }))
      return false;
    const caller: ResourceAsker =
      'user' in holder
        ? { ...holder.user, selectedOrgId }
        : {
            userId: createdByUserId,
            boundOrgId: null,
            selectedOrgId: null,
            scopes: null,
            ownKey: null,
            identityProviderId: OF_SANDBOX,
          };
    if (caller.userId !== createdByUserId) return false;
    return this.organizations.mayUse(caller, orgId);
  }

  private async assertOwnConversation(sandboxId: string, path: string): Promise<void> {
    const conversation = conversationOfPath(path);
    if (conversation === null) return;
    const own = conversation === undefined ? [] : await this.conversations.idsOf(sandboxId);
    if (conversation === undefined || !own.includes(conversation)) throw new SharedAgentServerError();
  }
}

function identityOf(holder: KeyHolder): RequestIdentity {
  return 'user' in holder ? { caller: { ...holder.user, selectedOrgId: null } } : { sandbox: holder.sandbox };
}

/** Whether a request carries a key in its headers, one that works or not. */
export function hasCredential(headers: IncomingHttpHeaders): boolean {
  return CREDENTIALS.some((name) => headers[name] !== undefined);
}
