import { Global, Module } from '@nestjs/common';
import { JobHandlers } from './job-handlers';
import { JobQueue } from './job-queue';
import { JobRunner } from './job-runner';

/** Durable background jobs in the service's own database. */
@Global()
@Module({
  providers: [JobHandlers, JobQueue, JobRunner],
  exports: [JobHandlers, JobQueue, JobRunner],
})
export class JobsModule {}
