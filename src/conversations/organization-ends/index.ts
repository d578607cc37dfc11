export { OrganizationEndsModule } from './organization-ends.module';
