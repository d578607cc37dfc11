import type { Person } from '../../common';
import { type Settings } from '../../config';
import { ProviderCredentials } from '../../git-credentials';
import { SandboxDrivers } from '../../sandboxes';
import { ConversationAgents } from '../start/conversation-agents';
import type { UserSettings } from './user-settings.dto';
/** What holds for a user in an organization, without secrets (docs/contract.md#agent-settings). */
export declare class HeldSettings {
    private readonly installation;
    private readonly agents;
    private readonly drivers;
    private readonly gitCredentials;
    constructor(installation: Settings, agents: ConversationAgents, drivers: SandboxDrivers, gitCredentials: ProviderCredentials);
    /** Their own settings, with the defaults of the organization and the installation behind them. */
    of(person: Person): Promise<UserSettings>;
    /** Whether conversations have a key for their model or need none: who names an address alone means it so. */
    private hasKey;
}
