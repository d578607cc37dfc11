import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';
import { JobMetrics } from './job-metrics';
import { ListenerMetrics } from './listener-metrics';
import { StorageMetrics } from './storage-metrics';

@Module({
  controllers: [HealthController],
  providers: [HealthService, JobMetrics, ListenerMetrics, StorageMetrics],
})
export class HealthModule {}
