import { Column, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';

/** What a department of an organization may spend, and who is in it. */
@Entity('acme_budgets')
export class Budget {
  @PrimaryColumn('uuid')
  orgId!: string;

  @PrimaryColumn('text')
  department!: string;

  @Column('double precision')
  limitDollars!: number;

  @Column('uuid', { array: true })
  userIds!: string[];
}

/** What a conversation has cost its department so far; it stays when the conversation is deleted. */
@Entity('acme_costs')
export class Cost {
  @PrimaryColumn('uuid')
  conversationId!: string;

  @Column('uuid')
  orgId!: string;

  @Column('text')
  department!: string;

  @Column('double precision')
  dollars!: number;
}

/** The tables of both; an organization takes its rows with it. */
export class Budgets1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE acme_budgets (
        org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
        department text,
        limit_dollars double precision NOT NULL,
        user_ids uuid[] NOT NULL,
        PRIMARY KEY (org_id, department)
      );
      CREATE TABLE acme_costs (
        conversation_id uuid PRIMARY KEY,
        org_id uuid NOT NULL,
        department text NOT NULL,
        dollars double precision NOT NULL,
        FOREIGN KEY (org_id, department) REFERENCES acme_budgets ON DELETE CASCADE
      );
      CREATE INDEX acme_costs_of_department ON acme_costs (org_id, department)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE acme_costs, acme_budgets');
  }
}
