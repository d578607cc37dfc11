import { DataSource } from 'typeorm';
import { Clock } from '../../../common';
import { JobQueue } from '../../../jobs';
import { type RunningSandbox, SandboxLifecycle, SandboxReader } from '../../../sandboxes';
import type { StartTask } from '../../start-tasks/start-task.entity';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { type StartRun } from './start-run';
/** Waits for the sandbox of a start, without occupying a worker meanwhile: later runs go on. */
export declare class StartSandbox {
    private readonly database;
    private readonly tasks;
    private readonly sandboxes;
    private readonly lifecycle;
    private readonly jobs;
    private readonly clock;
    constructor(database: DataSource, tasks: StartTaskRepository, sandboxes: SandboxReader, lifecycle: SandboxLifecycle, jobs: JobQueue, clock: Clock);
    /**
     * @returns the running sandbox, or null when a later run goes on
     * @throws StartFailedError when it will never run, StartTaskLostError
     */
    awaitRunning(run: StartRun): Promise<RunningSandbox | null>;
    /** Has another run go on shortly. @throws StartFailedError when the time of the start is over */
    retry(task: StartTask): Promise<void>;
    private retryIn;
}
