export { hostBound, JobHandlers, type JobHandler, type RunningJob } from './job-handlers';
export { JobQueue, type NewJob } from './job-queue';
export { JobRunner } from './job-runner';
export { LeaseLostError } from './jobs.errors';
export { JobsModule } from './jobs.module';
export type { JobLease } from './lease';
export { migrateJobs } from './migrate-jobs';
export type { JobCounts } from './worker-session';
