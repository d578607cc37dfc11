export { ApiKeyResponse, KeyCreate } from './api-keys.dto';
export { ApiKeysModule } from './api-keys.module';
export { ApiKeysService, toResponse as toKeyResponse } from './api-keys.service';
export { BootstrapService, type Bootstrapped } from './bootstrap.service';
export { BrowserSessionVerifier } from './browser-sessions/browser-session-verifier';
export type { BrowserSessionResponse } from './browser-sessions/browser-sessions.service';
export { BrowserSessions, type ProviderSession } from './browser-sessions/browser-sessions.service';
export { type ListedKey, listKeys } from './keys/key-list.read-model';
export { displayPrefix, isWellFormedDirectoryToken, newDirectoryToken } from './keys/key-format';
export {
  KeyAgainstRulesError,
  KeyExceedsMakerError,
  KeyExpiryInvalidError,
  KeyOutlivesMakerError,
  KeyScopeUnknownError,
} from './api-keys.errors';
export { MAX_KEY_NAME } from './keys/api-key.entity';
export { KeyIssuer, type IssuedKey, type KeptKey, type KeyRequest } from './keys/key-issuer';
export { KeyPolicies, type KeyPolicy, type WantedKey } from './keys/key-policies';
export { KnownKeys } from './known-keys/known-keys';
export { KeyVerifier } from './keys/key-verifier';
export { NewMembersKeys } from './keys/new-members-keys';
export { ServiceKeys } from './service-keys/service-keys.service';
export { ExternalKeys, type RecognizedToken, type TokenRecognizer } from './keys/external-keys';
export { type Holds, StandInKeys } from './keys/stand-in-keys';
