import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsString,
  IsUrl,
  IsUUID,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Field, list, model, string, uuid } from '../../../src/kernel/validation';

/** The organization of the path; declared with class-validator's own decorators. */
export class AnnouncementsPath {
  @IsUUID()
  org_id!: string;
}

/** Which announcements to list; declared with class-validator's own decorators. */
export class AnnouncementsQuery {
  @IsInt()
  @Min(1)
  @Max(20)
  limit = 20;
}

/** A link below an announcement; declared with class-validator's own decorators. */
export class AnnouncementLink {
  @IsString()
  @MaxLength(80)
  title!: string;

  @IsUrl({ protocols: ['https'] })
  url!: string;
}

/** What to announce; both kinds of declarations in one class. */
export class AnnouncementCreate {
  @Field(string({ trim: true, minLength: 1, maxLength: 500 }), {
    description: 'What everybody should know.',
    example: 'Sandboxes are paused on Sunday.',
  })
  text!: string;

  @IsArray()
  @ArrayMaxSize(5)
  @ValidateNested({ each: true })
  @Type(() => AnnouncementLink)
  links: AnnouncementLink[] = [];
}

/** An announcement. */
export class Announcement {
  @Field(uuid(), { description: 'Its id.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  id!: string;

  @Field(string(), { description: 'What everybody should know.', example: 'Sandboxes are paused on Sunday.' })
  text!: string;

  @Field(list(model(() => AnnouncementLink)), { description: 'Where to read more.' })
  links!: AnnouncementLink[];
}

/** The announcements of an organization. */
export class AnnouncementList {
  @Field(list(model(() => Announcement)), { description: 'Newest first.' })
  items!: Announcement[];
}
