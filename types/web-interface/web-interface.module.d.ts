import { type DynamicModule, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import type { InstalledInterface } from './installed/installed-interface';
/** The web interface at `/`, and its sign-in pages. */
export declare class WebInterfaceModule implements NestModule {
    /** @param installed the interface to serve; without one, `/` shows how to install it */
    static forRoot(installed: InstalledInterface | undefined): DynamicModule;
    configure(consumer: MiddlewareConsumer): void;
}
