export { ApiKeysModule } from './api-keys.module';
export { BootstrapService, type Bootstrapped } from './bootstrap.service';
export { BrowserSessionVerifier } from './browser-sessions/browser-session-verifier';
export { BrowserSessions } from './browser-sessions/browser-sessions.service';
export { KeyIssuer, type IssuedKey, type KeyRequest } from './keys/key-issuer';
export { KeyVerifier } from './keys/key-verifier';
