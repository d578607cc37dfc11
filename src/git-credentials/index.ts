export { GitCredentialsModule } from './git-credentials.module';
export {
  GitCredentialsRepository,
  type OpenedCredential,
  SEALED_GIT_PASSWORDS,
} from './git-credentials.repository';
