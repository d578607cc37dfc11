import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Authentication } from '../../auth';
import { AnsweredRequests, errorCodeOf, routeOf } from '../../http';
import { auditedCall, notedActor, readOfOthers } from './audited-call';
import { type AuditedOperation, AuditedOperations } from './audited-operations';
import { AuditWriter } from '../writing/audit-writer';
import {
  type CallOutcome,
  currentOrganizationOf,
  namedOrganization,
  organizationOf,
  rowOfCall,
} from './call-row';

const READING: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS'];

/** A caller who may not, or not now. */
const REFUSING: readonly number[] = [401, 403, 429];

/** How often it is looked whether the work for a caller who has gone has ended, and for how long. */
const LOOK_MS = 100;
const LONGEST_MS = 180_000;

/** Of the answer to the same request with its `Idempotency-Key`. */
const REPLAYED = 'Idempotency-Replayed';

/**
 * Has rows written of calls when they are over: those that were refused or failed, that changed nothing in a transaction, and that
 * have read something of other people.
 */
@Injectable()
export class AnsweredCalls implements BeforeApplicationShutdown {
  /** Ends waiting for the work of callers who have gone. */
  private readonly unfinished = new Set<() => void>();

  constructor(
    private readonly operations: AuditedOperations,
    private readonly authentication: Authentication,
    private readonly writer: AuditWriter,
    answered: AnsweredRequests,
  ) {
    answered.onAnswered((request, response) => this.answered(request, response));
  }

  beforeApplicationShutdown(): void {
    for (const end of this.unfinished) end();
  }

  private answered(request: IncomingMessage, response: ServerResponse): void {
    const { statusCode } = response;
    const isPlainRead = READING.includes(request.method) && !REFUSING.includes(statusCode);
    const isNoted = readOfOthers.of(request) !== undefined || notedActor.of(request) !== undefined;
    if (isPlainRead && !isNoted) return;
    const isWorkedOn = !response.writableEnded && auditedCall.of(request) !== undefined;
    if (isWorkedOn) this.await(request, response);
    else this.write(request, response);
  }

  /** The caller has gone, and the handler goes on: its change may still have to be made. */
  private await(request: IncomingMessage, response: ServerResponse): void {
    const began = performance.now();
    const end = (): void => {
      clearInterval(timer);
      this.unfinished.delete(end);
      this.write(request, response);
    };
    const timer = setInterval(() => {
      if (response.writableEnded || performance.now() - began > LONGEST_MS) end();
    }, LOOK_MS);
    timer.unref();
    this.unfinished.add(end);
  }

  private write(request: IncomingMessage, response: ServerResponse): void {
    const call = auditedCall.of(request);
    call?.close();
    const operation = call?.operation ?? this.operations.of(request.method ?? '', routeOf(request));
    if (operation === null) return;
    const outcome = outcomeOf(request, response);
    if (call?.hasRow !== true) this.add(request, operation, outcome);
    // The change was made, and its caller was told otherwise.
    else if (outcome.outcome !== 'success') this.add(request, operation, { ...outcome, outcome: 'failed' });
  }

  private add(request: IncomingMessage, operation: AuditedOperation, outcome: CallOutcome): void {
    const isSuccess = outcome.outcome === 'success';
    const named = namedOrganization(request, operation.template);
    const orgId = organizationOf(request, operation.template, isSuccess);
    const fields = rowOfCall(request, operation, outcome, orgId);
    const isUnknown = fields.actor.kind === 'unknown';
    const credential = isUnknown && !isSuccess ? this.authentication.presentedDigest(request) : null;
    // Anybody could fill the log with them.
    if (isUnknown && !isSuccess && credential === null) return;
    const mayBeIn = [named, currentOrganizationOf(request)].flatMap((id) => id ?? []);
    this.writer.add({ fields, credential, mayBeIn });
  }
}

function outcomeOf(request: IncomingMessage, response: ServerResponse): CallOutcome {
  if (!response.writableEnded && !response.headersSent)
    return { outcome: 'failed', status: null, code: 'caller_gone' };
  const { statusCode: status } = response;
  if (status >= 400)
    return { outcome: REFUSING.includes(status) ? 'refused' : 'failed', status, code: errorCodeOf(request) };
  const code = response.hasHeader(REPLAYED) ? 'idempotency_replayed' : null;
  return { outcome: 'success', status, code };
}
