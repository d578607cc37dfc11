/** How the runs of jobs of one name ended, and how long they took together. */
export interface JobRuns {
    succeeded: number;
    failed: number;
    seconds: number;
}
/** What this process did with jobs so far, for metrics. */
export declare class JobCounts {
    /** Jobs that run now. */
    running: number;
    /** Dead workers whose jobs were unlocked. */
    freed: number;
    private readonly byName;
    /** The runs of each job; of those that are bound to a host, of all hosts together. */
    runs(): ReadonlyMap<string, Readonly<JobRuns>>;
    /** Counts a run that came to its end or failed; one that was interrupted is neither. */
    ended(name: string, result: 'succeeded' | 'failed', seconds: number): void;
}
