import { Clock } from '../../../common';
import { JobHandlers } from '../../../jobs';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { StartOutcome } from './start-outcome';
import { StartSandbox } from './start-sandbox';
import { StartStages } from './start-stages';
/**
 * Starts conversations, through the named stages of docs/contract.md#start-tasks. Every stage may be run again: a
 * run that died is followed by another, which finds what the first one did.
 */
export declare class StartJob {
    private readonly tasks;
    private readonly sandbox;
    private readonly stages;
    private readonly outcome;
    private readonly clock;
    private readonly logger;
    constructor(tasks: StartTaskRepository, sandbox: StartSandbox, stages: StartStages, outcome: StartOutcome, clock: Clock, handlers: JobHandlers);
    private run;
    private start;
    private afterFailure;
    /** Why a start has failed for good; null when it may be tried again. */
    private finalReason;
    private isOverdue;
}
