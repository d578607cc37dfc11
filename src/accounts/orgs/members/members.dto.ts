import {
  type Permission,
  permissionsOf,
  ROLES,
  type Role,
  USER_KINDS,
  type UserKind,
} from '../../../kernel/auth';
import { dateTime, Field, list, model, oneOf, string, uuid } from '../../../kernel/validation';
import { OWN_ROLE_ID } from '../roles/roles.dto';
import { OrgPath, PageQuery } from '../organizations/organizations.dto';

const STATUSES = ['active', 'disabled'] as const;

/** Path of operations on one member. */
export class MemberPath extends OrgPath {
  @Field(string(), {
    description: "The member's user id.",
    example: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
    exampleFrom: {
      get: '/api/organizations/{org_id}/members',
      list: 'items',
      value: 'user_id',
      notIdOf: '/api/v1/users/me',
      none: 'You are the only member: put in the id of another one, once somebody accepted an invitation.',
    },
  })
  user_id!: string;
}

/** Query of `GET …/members`. */
export class MemberQuery extends PageQuery {
  @Field(string(), {
    nullable: true,
    description:
      'A part of the name or of the e-mail address, in any case. `%` and `_` stand for themselves.',
    example: 'robin',
  })
  search: string | null = null;
}

/** Body of `PATCH …/members/{user_id}`: one of the two, or both. */
export class MemberUpdate {
  @Field(string(), {
    optionalBeside: 'own_role_id',
    description: 'member, admin or owner, in any case: in place of an own role, too.',
    example: 'admin',
  })
  role?: string;

  @Field(uuid(), {
    optional: true,
    nullable: true,
    description: "One of the organization's own roles, with which they rank as member; null takes it away.",
    example: OWN_ROLE_ID,
  })
  own_role_id?: string | null;
}

/** One of the organization's own roles, as its members show it. */
export class OwnRoleName {
  @Field(uuid(), { description: 'Id of the role.', example: OWN_ROLE_ID })
  id!: string;

  @Field(string(), { description: 'Name of the role.', example: 'Auditor' })
  name!: string;
}

/** A member of an organization. */
export class OrgMemberResponse {
  @Field(uuid(), { description: 'Id of the user.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  user_id!: string;

  @Field(oneOf(USER_KINDS), { description: 'A person, or a service account.', example: 'person' })
  kind!: UserKind;

  @Field(string(), {
    nullable: true,
    description: 'E-mail address of the user; null for a service account.',
    example: 'member@example.com',
  })
  email!: string | null;

  @Field(string(), { nullable: true, description: 'Name of the user, if they gave one.', example: 'Robin' })
  name!: string | null;

  @Field(oneOf(ROLES), { description: 'What they are in the organization.', example: 'admin' })
  role!: Role;

  @Field(model(() => OwnRoleName), {
    nullable: true,
    description:
      "The organization's own role that they have, with its permissions in place of those of `role`.",
    example: null,
  })
  own_role!: OwnRoleName | null;

  @Field(dateTime(), { description: 'Since when.', example: '2026-11-21T09:30:00.000Z' })
  created_at!: string;

  @Field(oneOf(STATUSES), { description: "`disabled` when the user's keys are ended.", example: 'active' })
  status!: (typeof STATUSES)[number];
}

/** Response of `GET …/members`. */
export class OrgMemberPage {
  @Field(list(model(() => OrgMemberResponse)), { description: 'The members of the page.' })
  items!: OrgMemberResponse[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}

/** Response of `GET …/{org_id}/me`. */
export class OwnMembership extends OrgMemberResponse {
  @Field(uuid(), { description: 'The organization.', example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  org_id!: string;

  @Field(list(oneOf(permissionsOf('owner'))), {
    description: 'What the caller may do: what their role, or own role, allows.',
    example: permissionsOf('admin'),
  })
  permissions!: Permission[];
}

/** Response of `DELETE …/members/{user_id}`. */
export class MemberRemoved {
  @Field(string(), { description: 'One sentence for people.', example: 'The member was removed.' })
  message!: string;
}
