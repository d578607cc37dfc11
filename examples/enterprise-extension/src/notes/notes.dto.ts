import { ApiProperty } from '@nestjs/swagger';
import { IsString, IsUUID, MaxLength, MinLength } from 'class-validator';

/** The organization of the path. */
export class NotesPath {
  @IsUUID()
  org_id!: string;
}

/** What to note. */
export class NoteCreate {
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  text!: string;
}

/** A note, as it is answered. */
export class NoteResponse {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  text!: string;
}
