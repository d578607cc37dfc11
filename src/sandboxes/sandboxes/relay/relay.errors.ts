import { appError } from '../../../kernel/common';

/** 403: key and address are not those of a running sandbox of the caller (docs/contract.md#relayed-calls). */
export const RelayTargetRefusedError = appError(
  403,
  'relay_target_refused',
  'Calls are relayed only to a running sandbox of yours, at its own address and with its own key.',
);

/** 403: not one of the calls that are relayed. */
export const RelayCallRefusedError = appError(
  403,
  'relay_call_refused',
  'A call with this method and path is not relayed.',
);
