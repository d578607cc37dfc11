import { Module } from '@nestjs/common';
import { GitCredentialsModule } from '../git-credentials';
import { SkillsModule } from '../skills';
import { ProviderSessions } from './provider-calls/provider-sessions';
import { GitSearchController } from './search/git-search.controller';
import { GitSearchService } from './search/git-search.service';

/** Searches of repositories and branches at their providers. */
@Module({
  imports: [GitCredentialsModule, SkillsModule],
  controllers: [GitSearchController],
  providers: [GitSearchService, ProviderSessions],
})
export class GitSearchModule {}
