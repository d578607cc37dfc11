import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdentity } from '../../auth';
import { rateLimitHeaders, RequestLimitError, RequestLimits } from '../../request-limits';
import { countedAddress } from '../request/client-address';
import { RouteDeclarations } from './route-declarations';

/**
 * Counts each request right after its caller is known, before a byte of the body is read
 * (docs/contract.md#request-limits).
 */
@Injectable()
export class RequestLimitGuard implements CanActivate {
  constructor(
    private readonly routes: RouteDeclarations,
    private readonly limits: RequestLimits,
  ) {}

  /** @throws RequestLimitError */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { bucket } = this.routes.of(context);
    const subject = bucket === null ? null : subjectOf(http.getRequest<Request>());
    if (bucket === null || subject === null) return true;
    const status = await this.limits.count(bucket, subject);
    if (status === null) return true;
    if (status.isExceeded) throw new RequestLimitError(status);
    http.getResponse<Response>().set(rateLimitHeaders(status));
    return true;
  }
}

/**
 * Who a request is counted for: its key, else its sandbox, else its address. The agent server of several sandboxes is
 * the operator's own, and has no limit.
 */
function subjectOf(request: Request): string | null {
  const { caller, sandbox } = requestIdentity(request);
  if (caller !== undefined) return String(caller.keyId);
  return sandbox === undefined ? countedAddress(request) : sandbox.sandboxId;
}
