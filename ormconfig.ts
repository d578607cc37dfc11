import { createDataSource } from './src/kernel/database';

/** What the TypeORM command line works on: the database of these settings, as the role that owns the schema. */
const url = process.env.MIGRATION_DATABASE_URL ?? process.env.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_URL to the database to work on.');

export default createDataSource(url);
