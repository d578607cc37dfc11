import { join } from 'node:path';
import { type DynamicModule, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiKeysModule } from '../../accounts/api-keys';
import type { Settings } from '../../kernel/config';
import { GitCredentialsModule } from '../../agents/git-credentials';
import { AnalyticsController } from './absent-services/analytics.controller';
import { NoAutomationsController } from './absent-services/no-automations.controller';
import { StaticFiles } from '../../kernel/http';
import type { InstalledInterface } from './installed/installed-interface';
import { InterfaceRequests } from './interface-requests';
import { IndexPage } from './pages/index-page';
import { InterfacePages } from './pages/interface-pages';
import { InterfacePaths } from './pages/interface-paths';
import { SettingsAccess } from './settings/settings-access';
import { SettingsForms } from './settings/settings-forms';
import { SERVES_INTERFACE, SettingsController } from './settings/settings.controller';
import { SettingsViews } from './settings/settings-view';
import { StartPageController } from './pages/start-page.controller';

/** The page at `/` of a service without a web interface. */
@Module({ imports: [ApiKeysModule, GitCredentialsModule], controllers: [StartPageController] })
class StartPageModule {}

/** The web interface at `/`. */
@Module({
  imports: [ApiKeysModule, GitCredentialsModule],
  controllers: [AnalyticsController],
})
export class WebInterfaceModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly requests: InterfaceRequests,
  ) {}

  /**
   * @param installed the interface to serve; without one, `/` shows how to install it
   */
  static forRoot(
    { WEB_UI, AUTOMATION_URL }: Settings,
    installed: InstalledInterface | undefined,
  ): DynamicModule {
    const controllers = WEB_UI === 'on' ? [SettingsController] : [];
    const providers: Provider[] = [
      { provide: SERVES_INTERFACE, useValue: installed !== undefined },
      SettingsAccess,
      SettingsForms,
      SettingsViews,
    ];
    if (installed === undefined) return { module: StartPageModule, controllers, providers };
    const { folder } = installed;
    const hasAutomations = AUTOMATION_URL !== undefined;
    return {
      module: WebInterfaceModule,
      controllers: hasAutomations ? controllers : [...controllers, NoAutomationsController],
      providers: [
        ...providers,
        { provide: StaticFiles, useFactory: () => StaticFiles.below(join(folder, 'files')) },
        { provide: IndexPage, useFactory: () => IndexPage.of(folder, { hasAutomations }) },
        { provide: InterfacePaths, useValue: new InterfacePaths(hasAutomations) },
        InterfacePages,
        InterfaceRequests,
      ],
    };
  }

  /** Now that all routes are there, it comes after them: requests to them have nothing to do with it. */
  onModuleInit(): void {
    this.host.httpAdapter.use(this.requests.handle);
  }
}
