import { DataSource } from 'typeorm';
import { CredentialVerifier, type VerifiedKey } from '../../auth';
import { Clock } from '../../common';
import { ExternalKeys } from './external-keys';
import { type KeyUserRow } from './key-user.read-model';
import { KeyUsage } from './key-usage';
/** Finds the user of a key by its digest (docs/contract.md#key-format). */
export declare class KeyVerifier extends CredentialVerifier {
    private readonly database;
    private readonly clock;
    private readonly usage;
    private readonly external;
    constructor(database: DataSource, clock: Clock, usage: KeyUsage, external: ExternalKeys);
    verify(key: string): Promise<VerifiedKey | null>;
    /** The user of a key that was found in the database, or null if the key does not work now; records the use. */
    userOf(row: KeyUserRow): VerifiedKey | null;
    working(keyIds: readonly number[]): Promise<ReadonlySet<number>>;
    holderOf(keyId: number): Promise<VerifiedKey | null>;
    private works;
    private isCurrent;
}
