import { dateTime, Field, string } from '../../../kernel/validation';

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
