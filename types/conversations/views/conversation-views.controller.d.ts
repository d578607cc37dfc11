import type { Response } from 'express';
import { type Caller } from '../../auth';
import { Success } from '../../http';
import { ConversationViews } from './conversation-views';
import { ConversationSkills, DiffQuery, FileQuery, FolderQuery, GitChange, GitDiff, SwitchAcpModel, SwitchProfile, ViewedConversationPath } from './views.dto';
export declare class ConversationViewsController {
    private readonly views;
    constructor(views: ConversationViews);
    getConversationSkills(caller: Caller, path: ViewedConversationPath): Promise<ConversationSkills>;
    listConversationFiles(caller: Caller, path: ViewedConversationPath, query: FolderQuery): Promise<string[]>;
    getConversationFile(caller: Caller, path: ViewedConversationPath, query: FileQuery, response: Response): Promise<string>;
    listConversationGitChanges(caller: Caller, path: ViewedConversationPath, query: FolderQuery): Promise<GitChange[]>;
    getConversationGitDiff(caller: Caller, path: ViewedConversationPath, query: DiffQuery): Promise<GitDiff>;
    switchConversationProfile(caller: Caller, path: ViewedConversationPath, body: SwitchProfile): Promise<Success>;
    switchConversationAcpModel(caller: Caller, path: ViewedConversationPath, body: SwitchAcpModel): Promise<Success>;
}
