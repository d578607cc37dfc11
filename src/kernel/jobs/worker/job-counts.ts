/** How the runs of jobs of one name ended, and how long they took together. */
export interface JobRuns {
  succeeded: number;
  failed: number;
  seconds: number;
}

/** What this process did with jobs so far, for metrics. */
export class JobCounts {
  /** Jobs that run now. */
  running = 0;
  /** Dead workers whose jobs were unlocked. */
  freed = 0;
  private readonly byName = new Map<string, JobRuns>();

  /** The runs of each job; of those that are bound to a host, of all hosts together. */
  runs(): ReadonlyMap<string, Readonly<JobRuns>> {
    return this.byName;
  }

  /** Counts a run that came to its end or failed; one that was interrupted is neither. */
  ended(name: string, result: 'succeeded' | 'failed', seconds: number): void {
    const [job = name] = name.split('@', 1);
    const runs = this.byName.get(job) ?? { succeeded: 0, failed: 0, seconds: 0 };
    this.byName.set(job, runs);
    runs[result]++;
    runs.seconds += seconds;
  }
}
