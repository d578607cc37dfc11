import { dateTime, Field, string, uuid } from '../../../kernel/validation';
import { MAX_NAME } from '../record/text-limits';

/** Query of `DELETE /api/organizations/{org_id}`. */
export class OrganizationDeletionQuery {
  @Field(string({ trim: true, minLength: 1, maxLength: MAX_NAME }), {
    description: 'The name of the organization, as it is now.',
    example: 'Tools team',
  })
  confirm!: string;
}

/** An organization that is being deleted. */
export class OrganizationEndResponse {
  @Field(uuid(), { description: 'Id of the organization.', example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  org_id!: string;

  @Field(dateTime(), {
    description: 'From when on nobody is a member of it.',
    example: '2026-11-21T09:30:00.000Z',
  })
  ending_at!: string;
}
