import type { MigrationInterface, QueryRunner } from 'typeorm';
/**
 * What keeps the list fast while conversations change. Skipped rows of a page are read from an index alone only
 * where a vacuum has looked since they changed: the column migration wrote the table anew, of which autovacuum
 * does not hear, and by its defaults it waits until a fifth of all conversations changed. A search reads what
 * was not put in order yet of the trigram index, up to 4 MB by default, which takes longer than the search.
 */
export declare class OrgListUpkeep20261121151700 implements MigrationInterface {
    readonly transaction = false;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
