import { type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
/**
 * Turns every failure into a response (docs/contract.md#errors). What the caller may know is in `AppError`s;
 * of anything else they get an error id, which the log has with the cause and the request id.
 */
export declare class ErrorFilter implements ExceptionFilter {
    private readonly host;
    private readonly logger;
    constructor(host: HttpAdapterHost);
    catch(thrown: unknown, context: ArgumentsHost): void;
    private toAppError;
    /** Thrown only by Nest's router. */
    private fromFramework;
    private respondInternalError;
}
