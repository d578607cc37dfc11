import { DataSource, Repository } from 'typeorm';
import { SessionVerifier, type VerifiedKey } from '../../auth';
import { Clock } from '../../common';
import { KeyVerifier } from '../keys/key-verifier';
import { BrowserSession } from './browser-session.entity';
/** Finds the user of a browser session, which is valid while its key is and until it has been idle too long. */
export declare class BrowserSessionVerifier extends SessionVerifier {
    private readonly database;
    private readonly sessions;
    private readonly keys;
    private readonly clock;
    private readonly logger;
    constructor(database: DataSource, sessions: Repository<BrowserSession>, keys: KeyVerifier, clock: Clock);
    verify(token: string): Promise<VerifiedKey | null>;
    lasting(sessionIds: readonly number[]): Promise<ReadonlySet<number>>;
    /** Failing to record the use does not fail the request. */
    private recordUse;
}
