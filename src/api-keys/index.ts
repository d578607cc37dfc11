export { ApiKeysModule } from './api-keys.module';
export { KeyVerifier } from './key-verifier';
