import { createDataSource } from './src/kernel/database';

/** What the TypeORM command line works on; `DATABASE_URL` names the database. */
const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_URL to the database to work on.');

export default createDataSource(url);
