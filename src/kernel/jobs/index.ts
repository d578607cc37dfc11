export { failedJobsWithKind, type FailedJob } from './handling/failed-jobs';
export {
  hostBound,
  JobHandlers,
  type JobHandler,
  type JobLease,
  type Pace,
  type RunningJob,
  withTrace,
} from './handling/job-handlers';
export {
  type DelayedJob,
  delayedJobValues,
  JobQueue,
  type NewJob,
  queueOfServer,
} from './handling/job-queue';
export { deleteJobs, type StoredJobs, unhandledJobs } from './handling/unhandled-jobs';
export { JobRunner } from './worker/job-runner';
export { JobsModule } from './jobs.module';
export { jobsVersion, migrateJobs } from './worker/migrate-jobs';
export type { JobRuns } from './worker/job-counts';
