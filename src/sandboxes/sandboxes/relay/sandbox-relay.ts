import { Injectable } from '@nestjs/common';
import { type AgentServer, AgentServerClient } from '../../agent-server';
import { noteTarget } from '../../../kernel/audit';
import { type Caller, mayEnter, OrgResolution } from '../../../kernel/auth';
import { SessionKeyVerifier } from '../access/session-key-verifier';
import { WaitingCalls } from '../access/waiting-calls';
import { SandboxReader } from '../access/sandbox-reader';
import type { SandboxView } from '../record/sandbox-view';
import { SandboxLifecycle } from '../lifecycle/desired-state/sandbox-lifecycle';
import { appError } from '../../../kernel/common';
import { anything, dictionary, Field, number, oneOf, string } from '../../../kernel/validation';

const CONVERSATION = '/api/conversations/[0-9A-Fa-f-]{32,36}';

/** The allowlist of relayed calls (docs/contract.md#relayed-calls). */
const CALLS: readonly (readonly [method: 'GET' | 'POST', path: RegExp])[] = [
  ['GET', /^\/api\/git\/commits$/],
  ['GET', /^\/api\/git\/commits\/[0-9A-Fa-f]{4,64}\/changes$/],
  ['GET', /^\/api\/git\/diff$/],
  ['GET', /^\/api\/file\/download$/],
  ['POST', /^\/api\/bash\/execute_bash_command$/],
  ['POST', new RegExp(`^${CONVERSATION}/events$`)],
  ['POST', new RegExp(`^${CONVERSATION}/events/respond_to_confirmation$`)],
  ['POST', new RegExp(`^${CONVERSATION}/condense$`)],
  ['GET', new RegExp(`^${CONVERSATION}/events/count$`)],
];

/** Printable characters, and none that ends a path or starts another request. */
const PLAIN_QUERY = /^[\x21-\x7e]*$/;

/** @param path with its query, as the caller wrote it: it is sent unchanged, so only plain characters are allowed */
export function isRelayed(method: string, path: string): boolean {
  const [route = '', ...query] = path.split('?');
  return (
    !path.includes('#') &&
    PLAIN_QUERY.test(query.join('?')) &&
    CALLS.some(([allowed, pattern]) => allowed === method && pattern.test(route))
  );
}

const LOCAL: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether an address is the sandbox's as a browser spells it: with the scheme of its page, and with the page's host if
 * the sandbox is on the browser's own machine. The address is only compared, never called.
 */
export function isAddressOf(given: string, publicUrl: string): boolean {
  if (!URL.canParse(given)) return false;
  const [wanted, known] = [new URL(given), new URL(publicUrl)];
  const isSameHost = wanted.hostname === known.hostname || LOCAL.includes(known.hostname);
  return (
    /^https?:$/.test(wanted.protocol) &&
    isSameHost &&
    wanted.port === known.port &&
    wanted.pathname.replace(/\/+$/, '') === known.pathname.replace(/\/+$/, '')
  );
}

/** A call for the agent server of a sandbox (docs/contract.md#relayed-calls). */
export class RelayedCall {
  @Field(string({ maxLength: 2_048 }), {
    description: 'Address of the sandbox, as its record has it.',
    example: 'http://localhost:20001',
  })
  host!: string;

  @Field(oneOf(['GET', 'POST']), { description: 'Method of the call.', example: 'GET' })
  method!: 'GET' | 'POST';

  @Field(string({ maxLength: 8_192 }), {
    description: 'Path of the call, with its query.',
    example: '/api/git/commits?path=/workspace/project&limit=50',
  })
  path!: string;

  @Field(dictionary(string({ maxLength: 4_096 }), { max: 50 }), {
    description: 'Only `X-Session-API-Key` counts.',
    example: { 'X-Session-API-Key': 'key-of-the-sandbox' },
  })
  headers: Record<string, string> = {};

  @Field(anything(), { optional: true, description: 'Body of the call: JSON, or its text.' })
  body?: unknown;

  @Field(number({ gt: 0, le: 300 }), {
    optional: true,
    nullable: true,
    description: 'How long it may take; 30 unless said, 300 for `condense`.',
    example: 30,
  })
  timeout_seconds?: number | null;
}

/** 403: key and address are not those of a running sandbox of the caller (docs/contract.md#relayed-calls). */
export const RelayTargetRefusedError = appError(
  403,
  'relay_target_refused',
  'Calls are relayed only to a running sandbox of yours, at its own address and with its own key.',
);

/** 403: not one of the calls that are relayed. */
export const RelayCallRefusedError = appError(
  403,
  'relay_call_refused',
  'A call with this method and path is not relayed.',
);

const DEFAULT_SECONDS = 30;
/** It waits for a summary, which a model writes. */
const CONDENSE_SECONDS = 300;

/** The response of an agent server. */
interface RelayedResponse {
  readonly status: number;
  readonly bytes: Buffer;
}

/**
 * Makes calls for pages that cannot make them themselves, to the agent servers of the user's own sandboxes only
 * (docs/contract.md#relayed-calls).
 */
@Injectable()
export class SandboxRelay {
  constructor(
    private readonly keys: SessionKeyVerifier,
    private readonly sandboxes: SandboxReader,
    private readonly organizations: OrgResolution,
    private readonly lifecycle: SandboxLifecycle,
    private readonly waiting: WaitingCalls,
    private readonly agentServers: AgentServerClient,
  ) {}

  /**
   * @returns the response, whatever its status
   * @throws RelayCallRefusedError, RelayTargetRefusedError, TooManyWaitingCallsError, AgentServerUnavailableError
   */
  async relay(caller: Caller, call: RelayedCall, signal: AbortSignal): Promise<RelayedResponse> {
    const { method, path, body } = call;
    if (!isRelayed(method, path)) throw new RelayCallRefusedError();
    const { agentServer, ...sandbox } = await this.target(caller, call);
    noteTarget('sandbox', sandbox.id);
    this.lifecycle.touch(sandbox.id);
    return this.waiting.run({ userId: caller.userId, conversationId: sandbox.id, sandbox }, () =>
      this.agentServers.relay(agentServer, {
        method,
        path,
        ...(method === 'POST' && { rawBody: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
        timeoutMs: (call.timeout_seconds ?? defaultSeconds(path)) * 1000,
        signal,
      }),
    );
  }

  private async target(
    caller: Caller,
    { host, headers }: RelayedCall,
  ): Promise<{ readonly id: string; readonly orgId: string; readonly agentServer: AgentServer }> {
    const sandbox = await this.ofKey(sessionKeyIn(headers));
    const isOwn =
      sandbox?.createdByUserId === caller.userId &&
      mayEnter(caller, sandbox) &&
      (await this.organizations.mayUse(caller, sandbox.orgId));
    if (!isOwn || sandbox.stopping || sandbox.agentServer === null) throw new RelayTargetRefusedError();
    const published = [sandbox.conversationBase, sandbox.publicUrl];
    if (!published.some((address) => address !== null && isAddressOf(host, address)))
      throw new RelayTargetRefusedError();
    return { id: sandbox.id, orgId: sandbox.orgId, agentServer: sandbox.agentServer };
  }

  /** Null for an unknown key, and for the key of a shared server. */
  private async ofKey(key: string | null): Promise<SandboxView | null> {
    const owner = key === null ? null : await this.keys.verify(key);
    if (owner === null || owner.sandboxId === null) return null;
    return this.sandboxes.byId(owner.sandboxId);
  }
}

function defaultSeconds(path: string): number {
  return path.endsWith('/condense') ? CONDENSE_SECONDS : DEFAULT_SECONDS;
}

function sessionKeyIn(headers: Readonly<Record<string, string>>): string | null {
  const [, key = null] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-session-api-key') ?? [];
  return key;
}
