import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { MembershipReader, parseRole, type Role } from '../../auth';

/** Reads roles for the checks of every request. */
@Injectable()
export class MembershipService extends MembershipReader {
  constructor(@InjectDataSource() private readonly database: DataSource) {
    super();
  }

  override async roleOf(userId: string, orgId: string): Promise<Role | null> {
    const [row] = await this.database.query<{ role: string }[]>(
      'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2',
      [orgId, userId],
    );
    return row ? parseRole(row.role) : null;
  }

  override async organizationExists(orgId: string): Promise<boolean> {
    const rows = await this.database.query<unknown[]>('SELECT 1 FROM organizations WHERE id = $1', [orgId]);
    return rows.length > 0;
  }
}
