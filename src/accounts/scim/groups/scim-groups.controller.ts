import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentDirectory, type DirectoryCaller } from '../../../kernel/auth';
import { BodyLimit } from '../../../kernel/http';
import { LimitedAs } from '../../../kernel/request-limits';
import { listRequest, ScimPath, ScimQuery } from '../protocol/list-request';
import { projectionOf } from '../protocol/projection';
import { type Answered, SCIM_PATH, ScimOperations } from '../protocol/scim-operations';
import { GROUPS } from '../schema/attributes';
import { ScimGroups } from './scim-groups.service';

type Sent = Record<string, unknown>;

/** `/Groups` of the protocol (RFC 7644, section 3). */
@ScimOperations()
@Controller(`${SCIM_PATH}/Groups`)
export class ScimGroupsController {
  constructor(private readonly groups: ScimGroups) {}

  @Get()
  listScimGroups(@CurrentDirectory() directory: DirectoryCaller, @Query() query: ScimQuery): Promise<object> {
    return this.groups.list(directory, listRequest(GROUPS, query));
  }

  @Post('.search')
  @HttpCode(200)
  @LimitedAs('reads')
  searchScimGroups(@CurrentDirectory() directory: DirectoryCaller, @Body() body: Sent): Promise<object> {
    return this.groups.list(directory, listRequest(GROUPS, body));
  }

  @Post()
  @HttpCode(201)
  @BodyLimit(8)
  createScimGroup(
    @CurrentDirectory() directory: DirectoryCaller,
    @Query() query: ScimQuery,
    @Body() body: Sent,
  ): Promise<Answered> {
    return this.groups.create(directory, body, shown(query));
  }

  @Get(':id')
  getScimGroup(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Query() query: ScimQuery,
  ): Promise<Answered> {
    return this.groups.get(directory, id, shown(query));
  }

  @Put(':id')
  @BodyLimit(8)
  replaceScimGroup(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Query() query: ScimQuery,
    @Body() body: Sent,
    @Req() { headers }: Request,
  ): Promise<Answered> {
    return this.groups.replace(directory, id, body, {
      projection: shown(query),
      ifMatch: headers['if-match'],
    });
  }

  /** Without a body, unless attributes are asked for: a group may have thousands of members. */
  @Patch(':id')
  @BodyLimit(8)
  async patchScimGroup(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Query() query: ScimQuery,
    @Body() body: Sent,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answered | undefined> {
    const options = { projection: shown(query), ifMatch: response.req.headers['if-match'] };
    const answer = await this.groups.patch(directory, id, body, options);
    if (query.attributes !== null || query.excludedAttributes !== null) return answer;
    response.status(204);
    return undefined;
  }

  @Delete(':id')
  @HttpCode(204)
  deleteScimGroup(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Req() { headers }: Request,
  ): Promise<void> {
    return this.groups.delete(directory, id, headers['if-match']);
  }
}

function shown({ attributes, excludedAttributes }: ScimQuery) {
  return projectionOf(GROUPS, attributes, excludedAttributes);
}
