import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AgentServerClient, AgentServerUnavailableError } from '../../agent-server';
import { parseUuid } from '../../../kernel/common';
import { countedAddress } from '../../../kernel/http';
import { rateLimitHeaders, RequestLimitError, RequestLimits } from '../../../kernel/request-limits';
import { SandboxNotFoundError } from '../../sandboxes';
import { DoorSandboxes } from '../admission/door-sandboxes';
import type { DoorTarget } from '../admission/door-target';

/** Whether a request is a health check of an agent server. */
export function asksForHealth(method: string | undefined, { path }: DoorTarget): boolean {
  return path === '/health' && (method === 'GET' || method === 'HEAD');
}

/**
 * `GET /health` without a key. Existing clients send it before they use an agent server, which replies to anybody; here
 * the service makes the check itself, and nothing of the caller or the sandbox passes.
 */
@Injectable()
export class HealthQuestion {
  constructor(
    private readonly sandboxes: DoorSandboxes,
    private readonly agentServers: AgentServerClient,
    private readonly limits: RequestLimits,
  ) {}

  /**
   * @throws RequestLimitError, SandboxNotFoundError for one that is unknown or does not run,
   *   AgentServerUnavailableError
   */
  async answer(request: Request, response: Response, target: DoorTarget): Promise<void> {
    const standing = this.limits.count('public', countedAddress(request));
    if (standing?.isExceeded === true) throw new RequestLimitError(standing);
    if (standing !== null) response.set(rateLimitHeaders(standing));
    const id = parseUuid(target.sandboxId);
    const sandbox = id === null ? null : await this.sandboxes.recent(id);
    if (sandbox === null || sandbox.agentServer === null) throw new SandboxNotFoundError();
    if (!(await this.agentServers.probes.health(sandbox.agentServer)))
      throw new AgentServerUnavailableError(false, 'health');
    response.json({ status: 'ok' });
  }
}
