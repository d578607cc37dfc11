import type { NextFunction, Request, Response } from 'express';
import { Registry } from 'prom-client';
/** What `GET /metrics` answers: process metrics, and request durations by route pattern. */
export declare class Metrics {
    readonly registry: Registry<"text/plain; version=0.0.4; charset=utf-8">;
    private readonly requests;
    constructor();
    /** Observes a request that is answered past Express. */
    observed(labels: {
        method: string;
        route: string;
        status: number;
    }, seconds: number): void;
    /** Express middleware that observes every request once it is answered; a stream of events is open for as long as its reader likes. */
    readonly observe: (request: Request, response: Response, next: NextFunction) => void;
}
