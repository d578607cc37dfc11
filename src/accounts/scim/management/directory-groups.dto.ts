import { OrgPath } from '../../orgs';
import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import { dateTime, Field, integer, list, model, string, uuid } from '../../../kernel/validation';

const ID = '6f1d2a90-3c4e-4f7b-8a5d-9e0c1b2a3d44';
const ROLE = 'admin';

/** Path of operations on one group. */
export class DirectoryGroupPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the group.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/scim-groups',
      list: 'items',
      value: 'id',
      none: 'The directory of the organization has told of no group.',
    },
  })
  group_id!: string;
}

/** Body of `PUT …/scim-groups/{group_id}`. */
export class DirectoryGroupRole {
  @Field(string(), {
    nullable: true,
    description:
      "What members of the group are at least: member, admin or owner, or the id of one of the organization's own roles; null for nothing.",
    example: ROLE,
  })
  role!: string | null;
}

/** A group of the organization's directory. */
export class DirectoryGroupResponse {
  @Field(uuid(), { description: 'Id of the group.', example: ID })
  id!: string;

  @Field(string(), { description: 'What the directory calls it.', example: 'Platform team' })
  display_name!: string;

  @Field(integer(), { description: 'How many people are in it.', example: 12 })
  members!: number;

  @Field(string(), {
    nullable: true,
    description:
      "What its members are at least: one of the three roles, or the id of one of the organization's own; null where it says nothing of it.",
    example: ROLE,
  })
  role!: string | null;

  @Field(dateTime(), { description: 'Since when.', example: '2026-11-29T09:30:00.000Z' })
  created_at!: string;
}

/** Response of `GET …/scim-groups`. */
export class DirectoryGroupPage {
  @Field(list(model(() => DirectoryGroupResponse)), { description: 'The groups of the page.' })
  items!: DirectoryGroupResponse[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: PAGE_ID_EXAMPLE })
  next_page_id!: string | null;
}
