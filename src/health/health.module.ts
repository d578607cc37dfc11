import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';
import { JobMetrics } from './job-metrics';

@Module({ controllers: [HealthController], providers: [HealthService, JobMetrics] })
export class HealthModule {}
