import { appError } from '../../../kernel/common';

/** 403: keys are given to running sandboxes of the caller's own only (docs/contract.md#secrets-for-sandboxes). */
export const SandboxKeyRequiredError = appError(
  403,
  'sandbox_key_required',
  'Keys are given only with the key of a running sandbox of yours in this organization, in X-Session-API-Key.',
);
