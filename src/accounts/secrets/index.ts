export { SecretNotFoundError } from './secrets.service';
export { SecretsModule } from './secrets.module';
export { SEALED_USER_SECRETS, UserSecretsRepository } from './user-secrets.repository';
