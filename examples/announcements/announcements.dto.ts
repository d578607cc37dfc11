import { Field, list, model, string, uuid } from '../../src/validation';

/** The organization of the path. */
export class AnnouncementsPath {
  @Field(uuid(), { description: 'The organization.', example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  org_id!: string;
}

/** What to announce. */
export class AnnouncementCreate {
  @Field(string({ trim: true, minLength: 1, maxLength: 500 }), {
    description: 'What everybody should know.',
    example: 'Sandboxes are paused on Sunday.',
  })
  text!: string;
}

/** An announcement. */
export class Announcement {
  @Field(uuid(), { description: 'Its id.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  id!: string;

  @Field(string(), { description: 'What everybody should know.', example: 'Sandboxes are paused on Sunday.' })
  text!: string;
}

/** The announcements of an organization. */
export class AnnouncementList {
  @Field(list(model(() => Announcement)), { description: 'Newest first.' })
  items!: Announcement[];
}
