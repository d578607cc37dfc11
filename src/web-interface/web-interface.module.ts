import { join } from 'node:path';
import { type DynamicModule, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys';
import { AnalyticsController } from './analytics/analytics.controller';
import { AutomationsController } from './automations/automations.controller';
import { StaticFiles } from './files/static-files';
import type { InstalledInterface } from './installed/installed-interface';
import { InterfaceMiddleware } from './interface.middleware';
import { IndexPage } from './pages/index-page';
import { InterfacePages } from './pages/interface-pages';
import { SignInController } from './sign-in/sign-in.controller';
import { SignIn } from './sign-in/sign-in.service';
import { StartPageController } from './start-page/start-page.controller';

/** The page at `/` of a service without a web interface. */
@Module({ controllers: [StartPageController] })
class StartPageModule {}

/** The web interface at `/`, and its sign-in pages. */
@Module({
  imports: [ApiKeysModule],
  controllers: [AnalyticsController, AutomationsController, SignInController],
})
export class WebInterfaceModule implements NestModule {
  /** @param installed the interface to serve; without one, `/` shows how to install it */
  static forRoot(installed: InstalledInterface | undefined): DynamicModule {
    if (installed === undefined) return { module: StartPageModule };
    const { folder } = installed;
    return {
      module: WebInterfaceModule,
      providers: [
        { provide: StaticFiles, useFactory: () => StaticFiles.below(join(folder, 'files')) },
        { provide: IndexPage, useFactory: () => IndexPage.of(folder) },
        InterfacePages,
        SignIn,
      ],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(InterfaceMiddleware).forRoutes('{*path}');
  }
}
