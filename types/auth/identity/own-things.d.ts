import type { Owner } from '../../common';
import type { Caller } from './principal';
/** To whom belongs what a caller keeps: a bound key changes nothing outside its organization. */
export declare function ownerOf({ userId, boundOrgId }: Caller): Owner;
