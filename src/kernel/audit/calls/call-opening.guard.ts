import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { requestOf } from '../../common';
import { routeOf } from '../../http';
import { AuditedCall, auditedCall } from './audited-call';
import { AuditedOperations } from './audited-operations';

/**
 * Opens the call of an operation that changes something, when all other guards have let it through: what these write belongs to no
 * call. An interceptor would have Nest wrap every handler in observables, which takes longer than all the rest.
 */
@Injectable()
export class CallOpening implements CanActivate {
  constructor(private readonly operations: AuditedOperations) {}

  canActivate(context: ExecutionContext): true {
    const request = requestOf(context);
    const operation = this.operations.of(request.method, routeOf(request));
    if (operation?.changes === true && operation.inTransaction)
      auditedCall.set(new AuditedCall(operation, request));
    return true;
  }
}
