import { type Permission, permissionsOf } from '../../../kernel/auth';
import { dateTime, Field, list, model, oneOf, string, uuid } from '../../../kernel/validation';
import { OrgPath } from '../organizations/organizations.dto';
import { MAX_NAME } from '../record/text-limits';

/** The example of an own role. */
export const OWN_ROLE_ID = '6f1f7a52-0f6b-4a4e-8a9b-5c8f3d0e4b71';

const TIME = '2026-11-21T09:30:00.000Z';
const AUDITOR = ['view_org_conversations', 'view_audit_log'];
const MAX_PERMISSION = 200;
const NAME_TEXT = 'Unique in the organization, whatever its case, and none of the three that all have.';
const PERMISSIONS_TEXT =
  'What its members may do, and nothing else: names of the table of permissions, those of extensions included, each once.';

const name = () => string({ trim: true, minLength: 1, maxLength: MAX_NAME });
const permissions = () => list(string({ maxLength: MAX_PERMISSION }), { min: 1, max: 100 });

/** Path of operations on one own role. */
export class RolePath extends OrgPath {
  @Field(string(), {
    description: 'Id of the role; what is no id of one is a 404.',
    example: OWN_ROLE_ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/roles',
      list: 'items',
      value: 'id',
      none: 'The organization has no role of its own: make one with POST.',
    },
  })
  role_id!: string;
}

/** Body of `POST …/roles`. */
export class RoleCreate {
  @Field(name(), { description: NAME_TEXT, example: 'Auditor' })
  name!: string;

  @Field(permissions(), { description: PERMISSIONS_TEXT, example: AUDITOR })
  permissions!: string[];
}

/** Body of `PATCH …/roles/{role_id}`; what is absent stays. */
export class RoleUpdate {
  @Field(name(), { optional: true, description: NAME_TEXT, example: 'Auditor' })
  name?: string;

  @Field(permissions(), { optional: true, description: PERMISSIONS_TEXT, example: AUDITOR })
  permissions?: string[];
}

/** A role that the organization made of permissions. */
export class OrgRoleResponse {
  @Field(uuid(), { description: 'Id of the role.', example: OWN_ROLE_ID })
  id!: string;

  @Field(string(), { description: 'Name of the role.', example: 'Auditor' })
  name!: string;

  @Field(list(oneOf(permissionsOf('owner'))), {
    description: "What its members may do, in the table's order.",
    example: AUDITOR,
  })
  permissions!: Permission[];

  @Field(dateTime(), { description: 'When it was made.', example: TIME })
  created_at!: string;

  @Field(dateTime(), { description: 'When it was changed last.', example: TIME })
  updated_at!: string;
}

/** Response of `GET …/roles`. */
export class OrgRoleList {
  @Field(list(model(() => OrgRoleResponse)), { description: "The organization's own roles, by name." })
  items!: OrgRoleResponse[];
}
