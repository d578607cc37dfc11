import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys';
import { IdentityProvidersModule } from '../identity-providers';
import { ProviderQuestions } from './provider-questions';
import { ProviderTokens } from './provider-tokens';
import { TokenPeople } from './token-people';

/** Access tokens of identity providers as credentials. */
@Module({
  imports: [ApiKeysModule, IdentityProvidersModule],
  providers: [ProviderQuestions, ProviderTokens, TokenPeople],
})
export class ProviderTokensModule {}
