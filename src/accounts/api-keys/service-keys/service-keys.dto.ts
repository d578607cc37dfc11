import { OWN_ORGANIZATION } from '../../orgs';
import { dateTime, Field, integer, string, uuid } from '../../../kernel/validation';

/** Path of the keys of a user in an organization. */
export class ServiceKeyPath {
  @Field(uuid(), {
    description: 'The user.',
    example: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
    exampleFrom: { get: '/api/v1/users/me', value: 'id', none: 'You are in no organization.' },
  })
  user_id!: string;

  @Field(uuid(), {
    description: 'The organization.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    exampleFrom: OWN_ORGANIZATION,
  })
  org_id!: string;
}

/** Body of `POST /api/service/users/{user_id}/orgs/{org_id}/api-keys`. */
export class ServiceKeyCreate {
  @Field(string({ trim: true, minLength: 1 }), { description: 'What the key is for.', example: 'automation' })
  name!: string;
}

/** A key for another service, with its text. */
export class ServiceKeyCreated {
  @Field(integer(), { description: 'Id of the key.', example: 12 })
  id!: number;

  @Field(string(), {
    description: 'The key. Shown this once: only its digest is kept.',
    example: 'ocs_4mTqGv0Xn3bPzYcLw8RdKs1HfJe6UaQi2M9pZx',
  })
  key!: string;

  @Field(string(), { description: 'What the key is for.', example: 'automation' })
  name!: string;

  @Field(uuid(), { description: 'Whose key it is.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  user_id!: string;

  @Field(uuid(), {
    description: 'The only organization the key works in.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  org_id!: string;

  @Field(dateTime(), { description: 'From when on it stops working.', example: '2026-11-23T09:30:00.000Z' })
  expires_at!: string;
}
