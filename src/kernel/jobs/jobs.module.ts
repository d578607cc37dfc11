import { Global, Module } from '@nestjs/common';
import { JobHandlers } from './handling/job-handlers';
import { JobQueue } from './handling/job-queue';
import { JobRunner } from './worker/job-runner';

/** Durable background jobs in the service's own database. */
@Global()
@Module({
  providers: [JobHandlers, JobQueue, JobRunner],
  exports: [JobHandlers, JobQueue, JobRunner],
})
export class JobsModule {}
