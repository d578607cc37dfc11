import { type DynamicModule } from '@nestjs/common';
import { type Settings } from './settings';
/** Provides the settings, the clock and the `SecretBox` to every module. */
export declare class ConfigModule {
    /**
     * @param settings as read by `readSettings`
     * @param secretKey the key for secrets at rest, from the settings or from `DATA_DIR`
     */
    static forRoot(settings: Settings, secretKey: string): DynamicModule;
}
