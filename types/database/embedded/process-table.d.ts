/** The living processes of a PostgreSQL server in this data folder, as far as this user may see them. */
export declare function postgresProcessesIn(folder: string): Promise<number[]>;
