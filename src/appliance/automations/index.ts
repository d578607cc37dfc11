export { AutomationsModule } from './automations.module';
