import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';
import { BacklogMetrics } from './metrics/backlog-metrics';
import { JobMetrics } from './metrics/job-metrics';
import { ListenerMetrics } from './metrics/listener-metrics';
import { PoolMetrics } from './metrics/pool-metrics';
import { StorageMetrics } from './metrics/storage-metrics';

@Module({
  controllers: [HealthController],
  providers: [HealthService, BacklogMetrics, JobMetrics, ListenerMetrics, PoolMetrics, StorageMetrics],
})
export class HealthModule {}
