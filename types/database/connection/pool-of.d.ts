import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
/** The pool behind a data source that is connected. */
export declare function poolOf({ driver }: DataSource): Pool;
