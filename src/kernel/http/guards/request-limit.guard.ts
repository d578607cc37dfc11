import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdentity } from '../../auth';
import {
  type Bucket,
  rateLimitHeaders,
  type RateLimitStatus,
  RequestLimitError,
  RequestLimits,
} from '../../request-limits';
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
    const status = bucket === null ? null : await this.count(bucket, http.getRequest<Request>());
    if (status === null) return true;
    if (status.isExceeded) throw new RequestLimitError(status);
    http.getResponse<Response>().set(rateLimitHeaders(status));
    return true;
  }

  /**
   * Counts a request for its key and user, else its sandbox, else its address. The agent server of several sandboxes is
   * the operator's own, and has no limit.
   */
  private async count(bucket: Bucket, request: Request): Promise<RateLimitStatus | null> {
    const { caller, sandbox } = requestIdentity(request);
    if (caller !== undefined) return this.limits.countFor(bucket, String(caller.keyId), caller.userId);
    const subject = sandbox === undefined ? countedAddress(request) : sandbox.sandboxId;
    return subject === null ? null : this.limits.count(bucket, subject);
  }
}
