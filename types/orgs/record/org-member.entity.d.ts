import type { Role } from '../../auth';
export declare class OrgMember {
    orgId: string;
    userId: string;
    role: Role;
    createdAt: Date;
}
