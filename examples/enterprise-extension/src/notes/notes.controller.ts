import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, CurrentOrg, newId, type OrgContext } from 'org-conversation-service';
import { NoteCreate, NoteResponse, NotesPath, NotesQuery } from './notes.dto';
import { NotesService } from './notes.service';

@ApiTags('Notes')
@Controller('api/organizations/:org_id/acme-notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({ summary: 'List notes', description: 'For every member, newest first.' })
  @ApiOkResponse({ type: [NoteResponse], description: 'The notes.' })
  async listNotes(@Param() path: NotesPath, @Query() { limit }: NotesQuery): Promise<NoteResponse[]> {
    return (await this.notes.list(path.org_id, limit)).map(({ id, text }) => ({ id, text }));
  }

  @Post()
  @HttpCode(200)
  @Access({ org: 'path', permission: 'acme:manage_notes' })
  @ApiOperation({ summary: 'Add a note', description: 'Every member can read it.' })
  @ApiOkResponse({ type: NoteResponse, description: 'The note.' })
  async addNote(
    @CurrentOrg() { orgId }: OrgContext,
    @Param() _path: NotesPath,
    @Body() { text }: NoteCreate,
  ): Promise<NoteResponse> {
    const id = newId();
    await this.notes.add(id, orgId, text);
    return { id, text };
  }
}
