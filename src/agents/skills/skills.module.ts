import { Module } from '@nestjs/common';
import { AllowedHosts, CheckedHosts, HostLookup, SystemHostLookup } from '../../kernel/common';
import { SETTINGS, type Settings } from '../../kernel/config';
import { GitCredentialsModule } from '../git-credentials';
import { FetchService, KeptCredentials } from './fetch/fetch.service';
import { GitProcesses } from './fetch/git/git-processes';
import { InstalledGit } from './fetch/git/installed-git';
import { RepositoryFiles, CloneSlots } from './fetch/repository-files';
import { TemporaryFolders } from './fetch/temporary-folders';
import { Destinations } from './git-proxy/tunnel';
import { GitProxy } from './git-proxy/git-proxy';
import { GitUpstream } from './fetch/git-upstream';
import { MarketplaceReader } from './manifest/marketplace-reader';
import { TextReader } from './manifest/text-reader';
import { MarketplacePreview } from './preview/marketplace-preview';
import { Marketplaces } from './preview/marketplaces';
import { MarketplaceSkillsController } from './preview/marketplace-skills.controller';
import { MarketplaceSkillsService } from './preview/marketplace-skills.service';

/** Preview of plugin marketplaces: fetched from a registration's source, read, and not kept. */
@Module({
  imports: [GitCredentialsModule],
  controllers: [MarketplaceSkillsController],
  providers: [
    {
      provide: AllowedHosts,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new AllowedHosts('GIT_ALLOWED_HOSTS', settings.GIT_ALLOWED_HOSTS),
    },
    { provide: HostLookup, useClass: SystemHostLookup },
    {
      provide: Destinations,
      inject: [AllowedHosts, HostLookup],
      useFactory: (hosts: AllowedHosts, lookup: HostLookup) =>
        new Destinations(new CheckedHosts(hosts, lookup)),
    },
    CloneSlots,
    FetchService,
    GitProcesses,
    GitProxy,
    GitUpstream,
    InstalledGit,
    KeptCredentials,
    MarketplacePreview,
    MarketplaceReader,
    MarketplaceSkillsService,
    Marketplaces,
    RepositoryFiles,
    TemporaryFolders,
    TextReader,
  ],
  exports: [
    Destinations,
    GitUpstream,
    KeptCredentials,
    MarketplaceSkillsService,
    Marketplaces,
    RepositoryFiles,
  ],
})
export class SkillsModule {}
