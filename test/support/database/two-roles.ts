import { randomUUID } from 'node:crypto';
import { databaseAt, SUPERUSER_URL_VARIABLE } from '../service/test-server';
import { ask } from './ask';

/** An empty database that one role owns, and another one uses. */
export interface TwoRoles {
  readonly owner: string;
  readonly service: string;
  /** The URL with the role that owns the schema. */
  readonly ownerUrl: string;
  /** The URL with the role of the service. */
  readonly serviceUrl: string;
  /** Another empty one of the same owner. */
  another(): Promise<Pick<TwoRoles, 'ownerUrl' | 'serviceUrl'>>;
  drop(): Promise<void>;
}

/** Makes two roles, and an empty database of the first. */
export async function makeTwoRoles(): Promise<TwoRoles> {
  const superuser = process.env[SUPERUSER_URL_VARIABLE] ?? '';
  const suffix = randomUUID().replaceAll('-', '').slice(0, 12);
  const [owner, service] = [`owner_${suffix}`, `service_${suffix}`];
  for (const role of [owner, service]) await ask(superuser, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
  const databases: string[] = [];
  const as = (role: string, database: string): string => {
    const url = new URL(databaseAt(superuser, database));
    Object.assign(url, { username: role, password: role });
    return url.href;
  };
  const another = async () => {
    const name = `two_roles_${suffix}_${databases.length}`;
    databases.push(name);
    await ask(superuser, `CREATE DATABASE ${name} OWNER ${owner} TEMPLATE template0`);
    return { ownerUrl: as(owner, name), serviceUrl: as(service, name) };
  };
  const drop = async (): Promise<void> => {
    for (const name of databases) await ask(superuser, `DROP DATABASE ${name} WITH (FORCE)`);
    for (const role of [service, owner]) await ask(superuser, `DROP ROLE ${role}`);
  };
  return { owner, service, ...(await another()), another, drop };
}
