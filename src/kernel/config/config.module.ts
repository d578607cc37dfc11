import { type DynamicModule, Global, Module, type ValueProvider } from '@nestjs/common';
import { Clock, SecretBox } from '../common';
import { SETTINGS, type Settings } from './settings';

/** Provides the settings, the clock and the `SecretBox` to every module. */
@Global()
@Module({})
export class ConfigModule {
  /**
   * @param settings as read by `readSettings`
   * @param secretKey the key for secrets at rest, from the settings or from `DATA_DIR`
   * @param further settings that are not the service's own
   */
  static forRoot(
    settings: Settings,
    secretKey: string,
    further: readonly ValueProvider[] = [],
  ): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: SecretBox, useValue: new SecretBox([secretKey, ...settings.SECRET_KEYS_OLD]) },
        Clock,
        ...further,
      ],
      exports: [SETTINGS, SecretBox, Clock, ...further.map(({ provide }) => provide)],
    };
  }
}
