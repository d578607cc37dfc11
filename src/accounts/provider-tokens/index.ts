export { verifyAccessToken } from './jwt/access-token';
export { type Jose, loadJose } from './jwt/jose';
export { KeySet, KeysUnavailableError } from './jwt/key-set';
export { readUnverified } from './jwt/unverified-token';
