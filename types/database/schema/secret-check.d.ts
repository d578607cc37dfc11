import type { Client } from 'pg';
import { type SecretBox } from '../../common';
/**
 * Checks that `SECRET_KEY` is the key this database's secrets are encrypted with. The first start stores a check
 * value; a start with a new key that also lists the old one rewrites it.
 * @param client connected to the migrated database
 * @throws StartError when none of the keys fits
 */
export declare function checkSecretKey(client: Client, box: SecretBox): Promise<void>;
