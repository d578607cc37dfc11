import { type Caller } from '../../auth';
import type { Success } from '../../http';
import { GitCredentialsService } from '../git-credentials.service';
import { GitCredential, GitCredentialCreate, GitCredentialList, GitCredentialPath, GitCredentialUpdate } from './git-credentials.dto';
export declare class UserGitCredentialsController {
    private readonly credentials;
    constructor(credentials: GitCredentialsService);
    listUserGitCredentials(caller: Caller): Promise<GitCredentialList>;
    createUserGitCredential(caller: Caller, body: GitCredentialCreate): Promise<GitCredential>;
    updateUserGitCredential(caller: Caller, path: GitCredentialPath, body: GitCredentialUpdate): Promise<GitCredential>;
    deleteUserGitCredential(caller: Caller, path: GitCredentialPath): Promise<Success>;
}
