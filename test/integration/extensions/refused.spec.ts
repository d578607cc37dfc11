import {
  All,
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  type Provider,
  type Type,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { APP_GUARD } from '@nestjs/core';
import { ApiOkResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { Entity, PrimaryColumn } from 'typeorm';
import { z } from 'zod';
import { Mailer } from '../../../src/accounts/mail';
import { createApp } from '../../../src/app.setup';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  CurrentSandbox,
  type OrgContext,
  Public,
  SandboxAccess,
  type SandboxCaller,
} from '../../../src/kernel/auth';
import { StartError } from '../../../src/kernel/common';
import { readSettings, SETTINGS } from '../../../src/kernel/config';
import { OnDomainEvent } from '../../../src/kernel/domain-events';
import { ListenerDiscovery } from '../../../src/kernel/domain-events/listener-discovery';
import { DeclaredAccess } from '../../../src/kernel/http/guards/declared-access';
import { JobHandlers, JobQueue } from '../../../src/kernel/jobs';
import { Field, string } from '../../../src/kernel/validation';
import { type Extension, gatherExtensions } from '../../../src/operations/extensions';

/** A module with these providers. */
function providing(...providers: Provider[]): Type {
  @Module({ providers })
  class Acme {}
  return Acme;
}

/** A module with these controllers. */
function moduleOf(...controllers: Type[]): Type {
  @Module({ controllers })
  class Acme {}
  return Acme;
}

@Controller('acme/notes')
class Notes {
  @Get(':note_id')
  @Public()
  getNote(): void {}
}

@Controller('acme/notes')
class SameNotes {
  @Get(':id')
  @Public()
  readNote(): void {}
}

@Controller('acme/notes')
class ShadowedNotes {
  @Get('latest')
  @Public()
  getLatestNote(): void {}
}

@Controller('/api/v1/users')
class Users {
  @Get('Me')
  @Access()
  getAcmeUser(): void {}
}

@Controller()
class AllOfReady {
  @All('ready')
  @Public()
  checkAcme(): void {}
}

@Controller('docs')
class Docs {
  @Get()
  @Public()
  getAcmeDocs(): void {}
}

@Controller('api/acme')
class Wildcard {
  @Get('*rest')
  @Public()
  getRest(): void {}
}

@Controller()
class RootWildcard {
  @Get('*rest')
  @Public()
  getPage(): void {}
}

@Controller('acme/others')
class OtherNotes {
  @Get()
  @Public()
  getNote(): void {}
}

@Controller('acme/me')
class OperationOfService {
  @Get()
  @Public()
  @ApiOperation({ operationId: 'getCurrentUser' })
  getMe(): void {}
}

class CurrentUser {
  @ApiProperty()
  name!: string;
}

@Controller('acme/user')
class SchemaOfService {
  @Get()
  @Public()
  @ApiOkResponse({ type: [CurrentUser] })
  getAcmeUsers(): void {}
}

const AcmeNote = (() => {
  class AcmeNote {
    @Field(string())
    text!: string;
  }
  return AcmeNote;
})();
const OtherAcmeNote = (() => {
  class AcmeNote {
    @Field(string())
    title!: string;
  }
  return AcmeNote;
})();

@Controller('acme/bodies')
class BodyOfAcme {
  @Post()
  @Public()
  @ApiOkResponse({ type: AcmeNote })
  addAcmeNote(): void {}
}

@Controller('other/bodies')
class BodyOfOther {
  @Post()
  @Public()
  @ApiOkResponse({ type: OtherAcmeNote })
  addOtherNote(): void {}
}

class TakenBody {
  @Field(string())
  text!: string;
}

@Controller('acme/taken')
class WellBehaved {
  @Post(':org_id')
  @Access({ org: 'path' })
  addTaken(@CurrentOrg() org: OrgContext, @CurrentCaller() caller: Caller, @Body() body: TakenBody): object {
    return { org, caller, body };
  }

  @Post()
  @SandboxAccess()
  hearOfSandbox(@CurrentSandbox() sandbox: SandboxCaller): object {
    return sandbox;
  }
}

@Entity('users')
class AcmeUser {
  @PrimaryColumn('uuid')
  id!: string;
}

@Entity('acme_notes')
class NoteRow {
  @PrimaryColumn('uuid')
  id!: string;
}

@Entity('acme_tasks')
class TaskRow {
  @PrimaryColumn('uuid')
  id!: string;
}

@Entity('acme_notes')
class OtherRow {
  @PrimaryColumn('uuid')
  id!: string;
}

@Controller('acme/orgs')
class OrgWithoutAny {
  @Get()
  @Access()
  listOfOrg(@CurrentOrg() org: OrgContext): object {
    return org;
  }
}

@Controller('acme/orgs')
class OrgWithoutPath {
  @Get(':id')
  @Access({ org: 'path' })
  getOfOrg(@Param() path: object): object {
    return path;
  }
}

@Controller('acme/callers')
class CallerOfPublic {
  @Get()
  @Public()
  listOfCaller(@CurrentCaller() caller: Caller): object {
    return caller;
  }
}

@Controller('acme/sandboxes')
class SandboxOfUser {
  @Get()
  @Access()
  listOfSandbox(@CurrentSandbox() sandbox: SandboxCaller): object {
    return sandbox;
  }
}

@Controller('acme/open')
class Undeclared {
  @Get()
  listOpen(): void {}
}

/** Is no provider of any module. */
class NoProvider {
  readonly name = 'none';
}

/** As well. */
class NoHandler {
  run(): object {
    return {};
  }
}

@Injectable()
class Budgets {
  constructor(handlers: JobHandlers) {
    handlers.register('acme-budget', z.object({}), () => Promise.resolve());
  }
}

@Injectable()
class OtherBudgets {
  constructor(handlers: JobHandlers) {
    handlers.every('acme-budget', 60, () => Promise.resolve());
  }
}

@Injectable()
class BudgetMails {
  @OnDomainEvent('conversation.deleted', { after: 'commit', name: 'acme-budget' })
  mail(): Promise<void> {
    return Promise.resolve();
  }
}

@Injectable()
class HearsWhatNobodyHas {
  @OnDomainEvent('other.spent')
  hear(): Promise<void> {
    return Promise.resolve();
  }
}

@Injectable()
class CleanUpOfService {
  constructor(handlers: JobHandlers) {
    handlers.register('jobs-clean-up', z.object({}), () => Promise.resolve());
  }
}

@Injectable()
class Broken {
  constructor() {
    throw new TypeError('no licence\nof any kind');
  }
}

@Injectable()
class NeedsWhatNobodyHas {
  constructor(readonly _missing: NoProvider) {}
}

@Injectable()
class FailsToInit {
  onModuleInit(): Promise<void> {
    throw new Error('no licence');
  }
}

@Injectable()
class NeverInit {
  onModuleInit(): Promise<void> {
    return new Promise(() => undefined);
  }
}

const acme = (...controllers: Type[]): Extension => ({ name: 'acme', modules: [moduleOf(...controllers)] });
const other = (...controllers: Type[]): Extension => ({ name: 'other', modules: [moduleOf(...controllers)] });

const added = (name: string, ...providers: Type[]): Extension => ({
  name,
  modules: [providing(...providers)],
});

/** Composes the service, without a database. */
async function compose(...extensions: Extension[]): Promise<NestExpressApplication> {
  return createApp({
    settings: readSettings({ LOG_LEVEL: 'silent' }),
    databaseUrl: 'postgres://localhost/none',
    unconnected: true,
    secretKey: 'none',
    hostId: 'none',
    extensions: await gatherExtensions(extensions, {}),
  });
}

/** Composes it, and has it look at what a start looks at. */
async function check(...extensions: Extension[]): Promise<void> {
  const app = await compose(...extensions);
  app.get(DeclaredAccess).onModuleInit();
  app.get(ListenerDiscovery).onModuleInit();
}

// Source maps of the tests rename the methods of a stack, by which handlers of jobs are told: these sentences are patterns.
describe('a wrong extension stops the start with one sentence, which names both sides', () => {
  it.each<[what: string, extensions: Extension[], sentence: string | RegExp]>([
    [
      'a route of another one, whatever its parameters are called',
      [acme(Notes), other(SameNotes)],
      'The route GET /acme/notes/:id (SameNotes.readNote) of the extension other could not be reached: the extension acme answers GET /acme/notes/:note_id.',
    ],
    [
      'a route that one of another answers first',
      [acme(Notes), other(ShadowedNotes)],
      'The route GET /acme/notes/latest (ShadowedNotes.getLatestNote) of the extension other could not be reached: the extension acme answers GET /acme/notes/:note_id.',
    ],
    [
      'a route of the service, in other letters',
      [acme(Users)],
      'The route GET /api/v1/users/Me (Users.getAcmeUser) of the extension acme could not be reached: the service answers GET /api/v1/users/me.',
    ],
    [
      'all methods of a path of the service',
      [acme(AllOfReady)],
      'The route ALL /ready (AllOfReady.checkAcme) of the extension acme could not be reached: the service answers GET /ready.',
    ],
    [
      'the pages of the documentation',
      [acme(Docs)],
      'The route GET /docs (Docs.getAcmeDocs) of the extension acme could not be reached: the service answers ALL /docs.',
    ],
    [
      'a wildcard below api',
      [acme(Wildcard)],
      'The route GET /api/acme/*rest (Wildcard.getRest) of the extension acme would answer whatever is asked below /api: name its paths.',
    ],
    [
      'a wildcard that reaches below api',
      [acme(RootWildcard)],
      'The route GET /*rest (RootWildcard.getPage) of the extension acme would answer whatever is asked below /api: name its paths.',
    ],
    [
      'an operation of another one',
      [acme(Notes), other(OtherNotes)],
      'The operation getNote (OtherNotes.getNote) of the extension other has the name of one of the extension acme: give it another operationId.',
    ],
    [
      'an operation of the service',
      [acme(OperationOfService)],
      'The operation getCurrentUser (OperationOfService.getMe) of the extension acme has the name of one of the service: give it another operationId.',
    ],
    [
      'a schema of the service',
      [acme(SchemaOfService)],
      'The class CurrentUser (SchemaOfService.getAcmeUsers) of the extension acme has the name of a schema of the service: give it another one.',
    ],
    [
      'a schema of another one',
      [acme(BodyOfAcme), other(BodyOfOther)],
      'The class AcmeNote (BodyOfOther.addOtherNote) of the extension other has the name of a schema of the extension acme: give it another one.',
    ],
    [
      'a table of the service',
      [{ name: 'acme', entities: [AcmeUser] }],
      'The entity AcmeUser of the extension acme has the table users, which is one of the service.',
    ],
    [
      'a table of another one',
      [
        { name: 'acme', entities: [NoteRow] },
        { name: 'other', entities: [OtherRow] },
      ],
      'The entity OtherRow of the extension other has the table acme_notes, which is one of the extension acme.',
    ],
    [
      '@CurrentOrg on a route without one',
      [acme(OrgWithoutAny)],
      'The route OrgWithoutAny.listOfOrg takes @CurrentOrg, but names no organization: add org to its @Access.',
    ],
    [
      'an organization of a path that has none',
      [acme(OrgWithoutPath)],
      'The route OrgWithoutPath.getOfOrg takes its organization from the path, but /acme/orgs/:id has no :org_id.',
    ],
    [
      '@CurrentCaller on a public route',
      [acme(CallerOfPublic)],
      'The route CallerOfPublic.listOfCaller takes @CurrentCaller, which only a route with @Access has.',
    ],
    [
      '@CurrentSandbox on a route of people',
      [acme(SandboxOfUser)],
      'The route SandboxOfUser.listOfSandbox takes @CurrentSandbox, which only a route with @SandboxAccess has.',
    ],
    [
      'a class of the service among its providers',
      [added('acme', JobQueue)],
      "The module Acme of the extension acme provides JobQueue, which is the service's own: import the module that exports it, and register with a port what is to take its place.",
    ],
    [
      'a provider of its own in place of one of the service',
      [{ name: 'acme', modules: [providing({ provide: Mailer, useClass: NoProvider })] }],
      /^The module Acme of the extension acme provides Mailer, which is the service's own: /,
    ],
    [
      'a token of the service',
      [{ name: 'acme', modules: [providing({ provide: SETTINGS, useValue: {} })] }],
      /^The module Acme of the extension acme provides Symbol\(settings\), which is the service's own: /,
    ],
    [
      'a guard for all routes',
      [{ name: 'acme', modules: [providing({ provide: APP_GUARD, useValue: { canActivate: () => true } })] }],
      'The module Acme of the extension acme provides APP_GUARD, which would hold for all routes of the service: put it on controllers of its own.',
    ],
    [
      'a command without a provider that runs it',
      [
        {
          name: 'acme',
          commands: { 'acme:report': { about: 'Reports.', options: {}, handler: NoHandler } },
        },
      ],
      "The command acme:report is run by NoHandler, which has to be a provider of the extension's modules.",
    ],
    [
      'a route that declares no access',
      [acme(Undeclared)],
      'These routes declare neither @Access, @SandboxAccess nor @Public: Undeclared.listOpen.',
    ],
    [
      'a job of another one',
      [added('acme', Budgets), added('other', OtherBudgets)],
      /^Jobs named acme-budget have two handlers, of .+ and of .+: give one a name of its own\.$/,
    ],
    [
      'a job of another one as the name of a listener',
      [added('acme', Budgets), added('other', BudgetMails)],
      /^Jobs named acme-budget have two handlers, of .+ and of BudgetMails\.mail: give one a name of its own\.$/,
    ],
    [
      'a job of the service',
      [added('acme', CleanUpOfService)],
      /^Jobs named jobs-clean-up have two handlers, of .+ and of JobRunner: give one a name of its own\.$/,
    ],
    [
      'an event whose schema in the document has the name of one of the service',
      [{ name: 'api', events: { 'api.key_created': z.object({}) } }],
      'The document would have one schema ApiKeyCreatedCallback for api_key.created and api.key_created: give one another name.',
    ],
    [
      'a listener of an event that no extension has',
      [added('acme', HearsWhatNobodyHas)],
      'A listener names other.spent, which is no kind of domain event.',
    ],
    [
      'a constructor that throws',
      [added('acme', Broken)],
      'The constructor of Broken of the extension acme failed: no licence.',
    ],
    [
      'a provider that asks for what its module does not import',
      [added('acme', NeedsWhatNobodyHas)],
      "The constructor of NeedsWhatNobodyHas of the extension acme failed: Nest can't resolve dependencies of the NeedsWhatNobodyHas (?). Please make sure that the argument NoProvider at index [0] is available in the Acme module.",
    ],
  ])('%s', async (_, extensions, sentence) => {
    const refused = check(...extensions);
    await expect(refused).rejects.toThrow(StartError);
    const message: unknown = typeof sentence === 'string' ? sentence : expect.stringMatching(sentence);
    await expect(refused).rejects.toMatchObject({ message });
  });

  it('a hook that throws, with what it threw as the cause', async () => {
    const app = await compose(added('acme', FailsToInit));
    await expect(app.get(FailsToInit).onModuleInit()).rejects.toMatchObject({
      message: 'FailsToInit.onModuleInit of the extension acme failed: no licence.',
      cause: new Error('no licence'),
    });
  });

  it('a hook that does not end', async () => {
    const app = await compose(added('acme', NeverInit));
    jest.useFakeTimers();
    const hook = expect(app.get(NeverInit).onModuleInit()).rejects.toThrow(
      'NeverInit.onModuleInit of the extension acme has not ended within 30 s.',
    );
    await jest.advanceTimersByTimeAsync(30_000);
    await hook;
    jest.useRealTimers();
  });

  it('two that take nothing of each other, nor of the service, are composed', async () => {
    await expect(
      check(
        { ...acme(Notes, WellBehaved), entities: [TaskRow] },
        other(BodyOfOther),
        added('third', Budgets),
      ),
    ).resolves.toBeUndefined();
  });
});
