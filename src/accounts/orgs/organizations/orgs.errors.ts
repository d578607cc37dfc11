import { appError } from '../../../kernel/common';

/** 400: the role is none of the three. */
export const InvalidRoleError = appError(400, 'invalid_role', 'The role must be member, admin or owner.');

/** 403: nobody changes their own role (docs/contract.md#member-rules). */
export const OwnRoleError = appError(403, 'own_role', 'Nobody changes their own role.');

/**
 * 403: the member ranks as high as the caller, or the role is not the caller's to give
 * (docs/contract.md#member-rules).
 */
export const RankTooLowError = appError(
  403,
  'rank_too_low',
  'Your role does not allow this for a member of that role.',
);

/** 409: by the rules that are to be set the key of the request would not be accepted (docs/contract.md#rules-for-keys). */
export const RulesRefuseOwnKeyError = appError(
  409,
  'rules_refuse_own_key',
  'By these rules your own key would not be accepted any more: send force, or use a key that meets them.',
);

/** 404: the organization has no such member. */
export const MemberNotFoundError = appError(404, 'member_not_found', 'This organization has no such member.');

/** 403: the organization's directory has switched the person off (docs/scim.md#switched-off). */
export const DeprovisionedError = appError(
  403,
  'deprovisioned',
  'The directory of this organization has switched this person off: only it lets them in again.',
);

/** 409: every organization keeps an owner (docs/contract.md#member-rules). */
export const LastOwnerError = appError(
  409,
  'last_owner',
  'You are the last owner: make another member owner before you leave.',
);

/** 409: the member is a service account, which its own operations change and delete (docs/roles.md#service-accounts). */
export const ServiceAccountError = appError(
  409,
  'service_account',
  'This is a service account: change or delete it at /api/organizations/{org_id}/service-accounts.',
);

/** 409: what there is of the person in the organization is being erased (docs/personal-data.md#erasure). */
export const BeingErasedError = appError(
  409,
  'erasure_under_way',
  'What there is of this person in the organization is being erased: they can come back when that is done.',
);

/** 409: the person is the last owner of an organization that others are in (docs/personal-data.md#erasure). */
export const LastOwnerErasedError = appError(
  409,
  'last_owner',
  'This is the last owner of an organization with other members: make one of them owner first.',
);
