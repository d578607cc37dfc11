import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SecretBox } from '../common';
import { SETTINGS, type Settings } from './settings';

/** Provides the settings, the clock and the `SecretBox` to every module. */
@Global()
@Module({})
export class ConfigModule {
  /**
   * @param settings as read by `readSettings`
   * @param secretKey the key for secrets at rest, from the settings or from `DATA_DIR`
   */
  static forRoot(settings: Settings, secretKey: string): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: SecretBox, useValue: new SecretBox([secretKey, ...settings.SECRET_KEYS_OLD]) },
        Clock,
      ],
      exports: [SETTINGS, SecretBox, Clock],
    };
  }
}
