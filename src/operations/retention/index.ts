export { RetentionModule } from './retention.module';
export { type PreviewOfOrganization, RetentionRuns, type RunOfOrganization } from './runs/retention-runs';
