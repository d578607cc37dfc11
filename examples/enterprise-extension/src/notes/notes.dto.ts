import { IsInt, IsUUID, Max, Min } from 'class-validator';
import { Field, string } from 'org-conversation-service';

/** The organization of the path; declared with class-validator's own decorators. */
export class NotesPath {
  @IsUUID()
  org_id!: string;
}

/** Which notes to list; declared with class-validator's own decorators. */
export class NotesQuery {
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 100;
}

/** What to note; declared as the service declares its own. */
export class NoteCreate {
  @Field(string({ trim: true, minLength: 1, maxLength: 500 }), {
    description: 'What everybody should know.',
    example: 'Sandboxes are paused on Sunday.',
  })
  text!: string;
}

/** A note, as it is answered. */
export class NoteResponse {
  @Field(string(), { description: 'Its id.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  id!: string;

  @Field(string(), { description: 'What everybody should know.', example: 'Sandboxes are paused on Sunday.' })
  text!: string;
}
