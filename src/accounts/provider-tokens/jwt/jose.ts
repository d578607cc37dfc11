import type * as jose from 'jose' with { 'resolution-mode': 'import' };

export type {
  CryptoKey,
  JSONWebKeySet,
  JWK,
  JWSHeaderParameters,
  JWTHeaderParameters,
  JWTPayload,
  LocalJWKSet,
} from 'jose' with { 'resolution-mode': 'import' };

/** The library of tokens and their keys. */
export type Jose = typeof jose;

let loaded: Promise<Jose> | undefined;

/** Loads it when the first token comes. */
export function loadJose(): Promise<Jose> {
  return (loaded ??= import('jose'));
}
