import { Client } from 'pg';
/**
 * Runs a task on a connection of its own.
 * @throws StartError when the database of `DATABASE_URL` cannot be used; the message shows no password
 */
export declare function withConnection<T>(url: string, task: (client: Client) => Promise<T>): Promise<T>;
/** @throws StartError when the server is older than the service can work with */
export declare function checkVersion(client: Client): Promise<void>;
