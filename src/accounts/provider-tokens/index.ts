export { ProviderTokensModule } from './provider-tokens.module';
