export { ScimModule } from './scim.module';
export { ScimTokenVerifier } from './tokens/scim-token-verifier';
