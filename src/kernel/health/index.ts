export { type HealthCheck, HealthChecks, type HealthChecksByName } from './health-checks';
export { HealthModule } from './health.module';
export { HealthService } from './health.service';
