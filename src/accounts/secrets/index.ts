export { SecretNotFoundError } from './secrets.errors';
export { SecretsModule } from './secrets.module';
export { SEALED_USER_SECRETS, UserSecretsRepository } from './user-secrets.repository';
