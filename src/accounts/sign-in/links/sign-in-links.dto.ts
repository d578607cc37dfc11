import { dateTime, Field, string, uuid } from '../../../kernel/validation';

/** Path of `POST …/members/{user_id}/sign-in-link`. */
export class SignInLinkPath {
  @Field(uuid(), { description: 'The organization.', example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  org_id!: string;

  @Field(string(), { description: "The member's user id.", example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  user_id!: string;
}

/** A link that signs a member in, once. */
export class SignInLink {
  @Field(string(), {
    nullable: true,
    description: 'Give it to the member. Shown this once: a replay has null here.',
    example: 'https://agents.example.com/login/link?token=q3…',
  })
  url!: string | null;

  @Field(dateTime(), { description: 'Until when it works.', example: '2026-11-21T10:30:00.000Z' })
  expires_at!: string;
}
