export { DeviceLoginModule } from './device-login.module';
