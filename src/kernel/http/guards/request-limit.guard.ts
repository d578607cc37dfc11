import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { requestIdentity } from '../../auth';
import { requestOf, responseOf } from '../../common';
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
  canActivate(context: ExecutionContext): boolean {
    const { bucket } = this.routes.of(context);
    const status = bucket === null ? null : this.count(bucket, requestOf(context));
    if (status === null) return true;
    if (status.isExceeded) throw new RequestLimitError(status);
    responseOf(context).set(rateLimitHeaders(status));
    return true;
  }

  /**
   * Counts a request for its key and user, else its directory's token, else its sandbox, else its address. The agent server of several sandboxes is
   * the operator's own, and has no limit.
   */
  private count(bucket: Bucket, request: Request): RateLimitStatus | null {
    const { caller, directory, sandbox } = requestIdentity(request);
    if (caller !== undefined) return this.limits.countFor(bucket, String(caller.keyId), caller.userId);
    if (directory !== undefined) return this.limits.count(bucket, `directory ${directory.tokenId}`);
    const subject = sandbox === undefined ? countedAddress(request) : sandbox.sandboxId;
    return subject === null ? null : this.limits.count(bucket, subject);
  }
}
