import { type DynamicModule, Module } from '@nestjs/common';
import { HEALTH_CHECKS, HealthChecks, type HealthChecksByName } from './health-checks';
import { HealthController } from './health.controller';
import { HealthService, LOADED_EXTENSIONS, type LoadedExtension } from './health.service';
import { JobBacklogMetrics } from './metrics/job-backlog-metrics';
import { JobMetrics } from './metrics/job-metrics';
import { ListenerMetrics } from './metrics/listener-metrics';
import { PoolMetrics } from './metrics/pool-metrics';

@Module({
  controllers: [HealthController],
  providers: [HealthChecks, HealthService, JobBacklogMetrics, JobMetrics, ListenerMetrics, PoolMetrics],
})
export class HealthModule {
  /**
   * @param checks those of extensions
   * @param extensions in the order in which they are loaded
   */
  static forRoot(checks: HealthChecksByName, extensions: readonly LoadedExtension[]): DynamicModule {
    const loaded = extensions.map(({ name, version }) => ({
      name,
      ...(version !== undefined && { version }),
    }));
    return {
      module: HealthModule,
      providers: [
        { provide: HEALTH_CHECKS, useValue: checks },
        { provide: LOADED_EXTENSIONS, useValue: loaded },
      ],
    };
  }
}
