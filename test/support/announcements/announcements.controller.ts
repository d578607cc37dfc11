import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, CurrentOrg, type OrgContext } from '../../../src/kernel/auth';
import {
  Announcement,
  AnnouncementCreate,
  AnnouncementList,
  AnnouncementsPath,
  AnnouncementsQuery,
} from './announcements.dto';
import { AnnouncementsService } from './announcements.service';

@ApiTags('Announcements')
@Controller('api/organizations/:org_id/announcements')
export class AnnouncementsController {
  constructor(private readonly announcements: AnnouncementsService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({ summary: 'List announcements', description: 'For every member, newest first.' })
  @ApiOkResponse({ type: AnnouncementList, description: 'The announcements.' })
  listAnnouncements(@Param() path: AnnouncementsPath, @Query() query: AnnouncementsQuery): AnnouncementList {
    return { items: this.announcements.list(path.org_id).slice(0, query.limit) };
  }

  @Post()
  @HttpCode(200)
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @ApiOperation({ summary: 'Announce something', description: 'Every member can read it.' })
  @ApiOkResponse({ type: Announcement, description: 'The announcement.' })
  announce(
    @CurrentOrg() org: OrgContext,
    @Param() _path: AnnouncementsPath,
    @Body() body: AnnouncementCreate,
  ): Announcement {
    return this.announcements.add(org.orgId, body);
  }
}
