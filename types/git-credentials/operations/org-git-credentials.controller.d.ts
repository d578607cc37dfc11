import type { Success } from '../../http';
import { GitCredentialsService } from '../git-credentials.service';
import { GitCredential, GitCredentialCreate, GitCredentialList, GitCredentialUpdate, OrgGitCredentialPath, OrgGitCredentialsPath } from './git-credentials.dto';
export declare class OrgGitCredentialsController {
    private readonly credentials;
    constructor(credentials: GitCredentialsService);
    listOrgGitCredentials(path: OrgGitCredentialsPath): Promise<GitCredentialList>;
    createOrgGitCredential(path: OrgGitCredentialsPath, body: GitCredentialCreate): Promise<GitCredential>;
    updateOrgGitCredential(path: OrgGitCredentialPath, body: GitCredentialUpdate): Promise<GitCredential>;
    deleteOrgGitCredential(path: OrgGitCredentialPath): Promise<Success>;
}
