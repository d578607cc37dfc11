export type { HealthCheck, HealthChecksByName } from './health-checks';
export { HealthModule } from './health.module';
export { HealthService } from './health.service';
