import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentDirectory, type DirectoryCaller } from '../../../kernel/auth';
import { BodyLimit } from '../../../kernel/http';
import { LimitedAs } from '../../../kernel/request-limits';
import { listRequest, ScimPath, ScimQuery } from '../protocol/list-request';
import { projectionOf } from '../protocol/projection';
import { type Answered, SCIM_PATH, ScimOperations } from '../protocol/scim-operations';
import { USERS } from '../schema/attributes';
import { ScimUsers } from './scim-users.service';

type Sent = Record<string, unknown>;

/** `/Users` of the protocol (RFC 7644, section 3). */
@ScimOperations()
@Controller(`${SCIM_PATH}/Users`)
export class ScimUsersController {
  constructor(private readonly users: ScimUsers) {}

  @Get()
  listScimUsers(@CurrentDirectory() directory: DirectoryCaller, @Query() query: ScimQuery): Promise<object> {
    return this.users.list(directory, listRequest(USERS, query));
  }

  @Post('.search')
  @HttpCode(200)
  @LimitedAs('reads')
  searchScimUsers(@CurrentDirectory() directory: DirectoryCaller, @Body() body: Sent): Promise<object> {
    return this.users.list(directory, listRequest(USERS, body));
  }

  @Post()
  @HttpCode(201)
  @BodyLimit(1)
  createScimUser(
    @CurrentDirectory() directory: DirectoryCaller,
    @Query() query: ScimQuery,
    @Body() body: Sent,
  ): Promise<Answered> {
    return this.users.create(directory, body, shown(query));
  }

  @Get(':id')
  getScimUser(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Query() query: ScimQuery,
  ): Promise<Answered> {
    return this.users.get(directory, id, shown(query));
  }

  @Put(':id')
  @BodyLimit(1)
  replaceScimUser(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Query() query: ScimQuery,
    @Body() body: Sent,
    @Req() { headers }: Request,
  ): Promise<Answered> {
    return this.users.replace(directory, id, body, {
      projection: shown(query),
      ifMatch: headers['if-match'],
    });
  }

  @Patch(':id')
  @BodyLimit(1)
  patchScimUser(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Query() query: ScimQuery,
    @Body() body: Sent,
    @Req() { headers }: Request,
  ): Promise<Answered> {
    return this.users.patch(directory, id, body, { projection: shown(query), ifMatch: headers['if-match'] });
  }

  @Delete(':id')
  @HttpCode(204)
  deleteScimUser(
    @CurrentDirectory() directory: DirectoryCaller,
    @Param() { id }: ScimPath,
    @Req() { headers }: Request,
  ): Promise<void> {
    return this.users.delete(directory, id, headers['if-match']);
  }
}

function shown({ attributes, excludedAttributes }: ScimQuery) {
  return projectionOf(USERS, attributes, excludedAttributes);
}
