import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request, Response } from 'express';
import { isIdentified, NotAMemberError, UnauthenticatedError } from '../../auth';
import { AppError } from '../../common';
import { isDatabaseUnavailable, isOrganizationGone, isOutOfRange, isUserGone } from '../../database';
import { ValidationError } from '../../validation';
import { respondUnread } from '../server/unread-body';
import { allowedMethods } from './allowed-methods';
import { noteErrorCode } from './answered-error';
import {
  BodyTooLargeError,
  DatabaseUnavailableError,
  HandlerError,
  InternalError,
  MethodNotAllowedError,
  UnknownPathError,
  UnsupportedEncodingError,
  ValueOutOfRangeError,
} from './http.errors';

/** What an error is answered with. */
export interface ErrorResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * Turns every failure into a response (docs/contract.md#errors). What the caller may know is in `AppError`s;
 * of anything else they get an error id, which the log has with the cause and the request id.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  constructor(private readonly host: HttpAdapterHost) {}

  catch(thrown: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      this.logger.error({ err: thrown, requestId: request.id }, 'A response was cut off');
      response.destroy();
      return;
    }
    const error = this.toAppError(thrown, request);
    noteErrorCode(request, error.code);
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    const errorId = error.status === 500 ? this.logInternal(thrown, error, request) : null;
    if (error.status === 503)
      this.logger.warn({ err: error.cause ?? error, requestId: request.id }, error.message);
    const { status, type, text } = this.responseOf(error, errorId);
    // The content type that a handler set is that of its successful responses.
    response.status(status).type(type);
    if (isBodyRefused(error)) respondUnread(request, response, text);
    else response.send(text);
  }

  /**
   * What an error is answered with; a filter for other clients answers in their form.
   * @param errorId what the log knows it by; null for errors that are answered with their cause
   */
  protected responseOf(error: AppError, errorId: string | null): ErrorResponse {
    const { status } = error;
    const type = 'application/json';
    if (error instanceof ValidationError) return { status, type, text: error.toJsonText() };
    const body =
      errorId === null ? error.toBody() : { detail: error.message, code: error.code, error_id: errorId };
    return { status, type, text: JSON.stringify(body) };
  }

  private toAppError(thrown: unknown, request: Request): AppError {
    if (thrown instanceof AppError) return thrown;
    if (thrown instanceof HttpException) return this.fromFramework(thrown, request);
    if (isUserGone(thrown)) return new UnauthenticatedError();
    if (isOrganizationGone(thrown)) return new NotAMemberError();
    if (isOutOfRange(thrown)) return new ValueOutOfRangeError();
    if (isDatabaseUnavailable(thrown)) return new DatabaseUnavailableError(thrown);
    return new InternalError();
  }

  /** Nest's router throws some of these for an unknown route; a handler throws them on purpose. */
  private fromFramework(exception: HttpException, request: Request): AppError {
    if (isIdentified(request)) return new HandlerError(exception);
    const status = exception.getStatus();
    if (status !== 404) return new AppError(status, 'bad_request', 'The request could not be read.');
    const express = this.host.httpAdapter.getInstance<Express>();
    const allowed = allowedMethods(express, request.path);
    return allowed.length === 0 ? new UnknownPathError() : new MethodNotAllowedError(allowed);
  }

  /** @returns the id that the log has it by */
  private logInternal(thrown: unknown, error: AppError, request: Request): string {
    const errorId = randomUUID();
    const cause = thrown instanceof AppError ? (thrown.cause ?? thrown) : thrown;
    this.logger.error({ err: cause, errorId, requestId: request.id }, error.message);
    return errorId;
  }
}

function isBodyRefused(error: AppError): boolean {
  return error instanceof BodyTooLargeError || error instanceof UnsupportedEncodingError;
}
