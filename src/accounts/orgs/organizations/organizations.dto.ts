import { ROLES, type Role } from '../../../kernel/auth';
import {
  dateTime,
  type ExampleSource,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import { MAX_NAME } from '../record/text-limits';

/** The caller's organization. */
export const OWN_ORGANIZATION: ExampleSource = {
  get: '/api/v1/users/me',
  value: 'org_id',
  none: 'You are in no organization.',
};

/** Path of operations on one organization. */
export class OrgPath {
  @Field(uuid(), {
    description: "The organization's id.",
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    exampleFrom: OWN_ORGANIZATION,
  })
  org_id!: string;
}

/** Query of paged lists. */
export class PageQuery {
  @Field(string(), {
    nullable: true,
    description: 'Where the page starts: `next_page_id` of the page before.',
  })
  page_id: string | null = null;

  @Field(integer({ ge: 1 }), { description: 'Most items on the page; above 100 counts as 100.', example: 50 })
  limit = 100;
}

/** Body of `PATCH /api/organizations/{org_id}`. */
export class OrganizationUpdate {
  @Field(string({ trim: true, minLength: 1, maxLength: MAX_NAME }), {
    description: 'The new name.',
    example: 'Tools team',
  })
  name!: string;
}

/** An organization as one of its members sees it. */
export class OrganizationResponse {
  @Field(uuid(), { description: 'Id of the organization.', example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  id!: string;

  @Field(string(), { description: 'Name of the organization.', example: 'Tools team' })
  name!: string;

  @Field(oneOf(ROLES), { description: "The caller's role in it.", example: 'admin' })
  role!: Role;

  @Field(dateTime(), { description: 'When it was made.', example: '2026-11-21T09:30:00.000Z' })
  created_at!: string;
}

/** Response of `GET /api/organizations`. */
export class OrganizationPage {
  @Field(list(model(() => OrganizationResponse)), { description: 'The organizations of the page.' })
  items!: OrganizationResponse[];

  @Field(uuid(), {
    nullable: true,
    description: 'The organization that requests without a selector act in.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  current_org_id!: string | null;

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}
