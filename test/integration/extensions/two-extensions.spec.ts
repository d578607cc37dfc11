import { Body, Controller, Get, Inject, Injectable, Module, Param, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Counter } from 'prom-client';
import { Column, Entity, type EntityManager, PrimaryColumn, type QueryRunner, Repository } from 'typeorm';
import { z } from 'zod';
import {
  Access,
  Actors,
  AppError,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  defineExtension,
  type DomainEventOf,
  type Extension,
  Field,
  type HealthCheck,
  Members,
  Metrics,
  newId,
  OnDomainEvent,
  type OrgContext,
  OrgsModule,
  settingsOf,
  string,
  uuid,
} from '../../../src';
import { eventually, ServiceUnderTest } from '../../../src/operations/testing';
import { ask } from '../../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';

class OrgPath {
  @Field(uuid())
  org_id!: string;
}

/** `hr`: makes somebody an administrator, by the facade of members. */
class Promotion {
  @Field(uuid())
  promoted_id!: string;
}

@Entity('hr_promotions')
class HrPromotion {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('uuid')
  orgId!: string;
}

class HrPromotions1764000000000 {
  up(runner: QueryRunner): Promise<unknown> {
    return runner.query('CREATE TABLE hr_promotions (id uuid PRIMARY KEY, org_id uuid NOT NULL)');
  }
  down(runner: QueryRunner): Promise<unknown> {
    return runner.query('DROP TABLE hr_promotions');
  }
}

@Controller('api/organizations/:org_id/hr-promotions')
class HrController {
  role: 'admin' | 'owner';
  private readonly promotions: Counter;

  constructor(
    private readonly actors: Actors,
    private readonly members: Members,
    @InjectRepository(HrPromotion) private readonly records: Repository<HrPromotion>,
    @Inject(settingsOf('hr')) { HR_ROLE }: { readonly HR_ROLE: 'admin' | 'owner' },
    metrics: Metrics,
  ) {
    this.role = HR_ROLE;
    const registers = [metrics.of('hr')];
    this.promotions = new Counter({ name: 'hr_promotions_total', help: 'Promotions.', registers });
  }

  @Post()
  @Access({ org: 'path', permission: 'hr:promote' })
  @ApiOkResponse({ type: Promotion })
  async promoteMember(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() _path: OrgPath,
    @Body() { promoted_id }: Promotion,
  ): Promise<Promotion> {
    await this.members.changeRole(this.actors.caller(caller, org), promoted_id, this.role);
    await this.records.insert({ id: newId(), orgId: org.orgId });
    this.promotions.inc();
    return { promoted_id };
  }
}

@Module({ imports: [OrgsModule, TypeOrmModule.forFeature([HrPromotion])], controllers: [HrController] })
class HrModule {}

const hr = defineExtension({
  name: 'hr',
  modules: [HrModule],
  permissions: { 'hr:promote': 'admin' },
  entities: [HrPromotion],
  migrations: [HrPromotions1764000000000],
  settings: z.object({ HR_ROLE: z.enum(['admin', 'owner']).default('owner') }),
});

/** `audit`: notes which role anybody has now, whoever gave it. */
class AuditEntry {
  @Field(uuid())
  audited_id!: string;
  @Field(string())
  role!: string;
}

class AuditRefusedError extends AppError {
  constructor() {
    super(409, 'audit_refused', 'The audit wants no more of them.');
  }
}

@Entity('audit_entries')
class AuditRow {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('uuid')
  orgId!: string;
  @Column('uuid')
  userId!: string;
  @Column('text')
  role!: string;
}

class AuditEntries1764000000000 {
  up(runner: QueryRunner): Promise<unknown> {
    return runner.query(
      'CREATE TABLE audit_entries (id uuid PRIMARY KEY, org_id uuid NOT NULL, user_id uuid NOT NULL, role text NOT NULL)',
    );
  }
  down(runner: QueryRunner): Promise<unknown> {
    return runner.query('DROP TABLE audit_entries');
  }
}

@Injectable()
class AuditCheck implements HealthCheck {
  answer = (): Promise<void> => Promise.resolve();
  check(): Promise<void> {
    return this.answer();
  }
}

@Controller('api/organizations/:org_id/audit-entries')
class AuditController {
  private readonly noted: Counter;

  constructor(
    @InjectRepository(AuditRow) private readonly rows: Repository<AuditRow>,
    @Inject(settingsOf('audit')) private readonly settings: { readonly AUDIT_REFUSED_ROLE: string },
    metrics: Metrics,
  ) {
    const registers = [metrics.of('audit')];
    this.noted = new Counter({ name: 'audit_entries_total', help: 'Entries.', registers });
  }

  @Get()
  @Access({ org: 'path', permission: 'audit:read' })
  @ApiOkResponse({ type: [AuditEntry] })
  async listAuditEntries(@Param() { org_id }: OrgPath): Promise<AuditEntry[]> {
    const rows = await this.rows.findBy({ orgId: org_id });
    return rows.map(({ userId, role }) => ({ audited_id: userId, role }));
  }

  @OnDomainEvent('member.role_changed')
  async note(event: DomainEventOf<'member.role_changed'>, transaction: EntityManager): Promise<void> {
    const { org_id: orgId, user_id: userId, role } = event;
    if (role === this.settings.AUDIT_REFUSED_ROLE) throw new AuditRefusedError();
    await transaction.insert(AuditRow, { id: newId(), orgId, userId, role });
    this.noted.inc();
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([AuditRow])],
  controllers: [AuditController],
  providers: [AuditCheck],
})
class AuditModule {}

const audit = defineExtension({
  name: 'audit',
  modules: [AuditModule],
  permissions: { 'audit:read': 'owner' },
  entities: [AuditRow],
  migrations: [AuditEntries1764000000000],
  settings: z.object({ AUDIT_REFUSED_ROLE: z.string() }),
  healthChecks: { 'audit.ledger': AuditCheck },
});

/** Takes the name of a metric of `hr`. */
@Injectable()
class Thief {
  constructor(metrics: Metrics) {
    new Counter({ name: 'hr_promotions_total', help: 'Promotions.', registers: [metrics.of('third')] });
  }
}

@Module({ providers: [Thief] })
class ThiefModule {}

describe('two extensions of one service', () => {
  let database: TestDatabase;
  let settings: Record<string, string>;
  let service: ServiceUnderTest;
  let orgId: string;
  let memberId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    settings = {
      DATABASE_URL: database.url,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      WEB_UI: 'off',
      LOG_LEVEL: 'silent',
    };
    const all = { ...settings, HR_ROLE: 'admin', AUDIT_REFUSED_ROLE: 'owner' };
    service = await ServiceUnderTest.start({ extensions: [hr, audit], settings: all });
    ({ org_id: orgId } = (await service.call('GET', '/api/v1/users/me')).body as { org_id: string });
    const added = ['member:add', '--org', orgId, '--email', 'robin@example.com', '--role', 'member'];
    ({ user_id: memberId } = (await service.cli(...added)) as { user_id: string });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const promote = () =>
    service.call('POST', `/api/organizations/${orgId}/hr-promotions`, { body: { promoted_id: memberId } });
  const entries = () => service.call('GET', `/api/organizations/${orgId}/audit-entries`);
  const start = (extensions: Extension[], more: Record<string, string>): Promise<ServiceUnderTest> =>
    ServiceUnderTest.start({ extensions, settings: { ...settings, ...more } });
  const figures = async (): Promise<string[]> =>
    (await (await fetch(`${service.url}/metrics`)).text())
      .split('\n')
      .filter((line) => /^(hr|audit_entries)_/.test(line));

  it('one hears what the other does; each has its routes, permissions, tables, settings and metrics', async () => {
    expect(await promote()).toMatchObject({ status: 201, body: { promoted_id: memberId } });
    expect((await entries()).body).toEqual([{ audited_id: memberId, role: 'admin' }]);
    expect(await figures()).toEqual(['audit_entries_total 1', 'hr_promotions_total 1']);
    const { permissions } = (await service.call('GET', '/api/v1/users/me')).body as { permissions: string[] };
    expect(permissions).toEqual(expect.arrayContaining(['hr:promote', 'audit:read']));
    const tables = await ask(
      database.url,
      'SELECT (SELECT count(*) FROM hr_migrations)::int AS hr, (SELECT count(*) FROM audit_migrations)::int AS audit',
    );
    expect(tables).toEqual([{ hr: 1, audit: 1 }]);
  });

  it('one refuses what the other does, with a sentence of its own', async () => {
    service.get(HrController).role = 'owner';
    expect(await promote()).toMatchObject({ status: 409, body: { code: 'audit_refused' } });
    expect((await entries()).body).toEqual([{ audited_id: memberId, role: 'admin' }]);
    expect(await figures()).toEqual(['audit_entries_total 1', 'hr_promotions_total 1']);
  });

  it('a health check that fails is named as that of its extension', async () => {
    service.get(AuditCheck).answer = () => Promise.reject(new Error('away'));
    await eventually(async () => {
      const { status, body } = await service.call('GET', '/ready');
      expect(status).toBe(503);
      expect(JSON.stringify(body)).toContain('audit.ledger');
    });
    service.get(AuditCheck).answer = () => Promise.resolve();
  });

  it('a setting that is missing, and a metric with the name of the other, are said of the one whose they are', async () => {
    await expect(start([hr, audit], { HR_ROLE: 'nobody' })).rejects.toThrow(
      /HR_ROLE: .+\n.*AUDIT_REFUSED_ROLE: /,
    );
    await expect(start([hr, { name: 'third', modules: [ThiefModule] }], {})).rejects.toThrow(
      'The metric hr_promotions_total of the extension third has to begin with third_.',
    );
  });
});
