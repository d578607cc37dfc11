import { OrgPath } from '../../../accounts/orgs';
import { Field, integer, list, literal, model, string, uuid } from '../../../kernel/validation';
import { profileName } from '../record/profile.dto';
import { MAX_PROFILE_NAME } from '../record/text-limits';

/** An agent profile. */
export class AgentProfileInfo {
  @Field(uuid(), {
    description: 'Its id, which start requests name.',
    example: '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11',
  })
  id!: string;

  @Field(string(), { description: 'Its name.', example: 'Reviewer' })
  name!: string;

  @Field(literal('openhands'), { description: 'The only kind there is.' })
  agent_kind!: 'openhands';

  @Field(integer(), { description: 'Counts its changes.', example: 1 })
  revision!: number;

  @Field(string(), {
    nullable: true,
    description: 'Name of the model profile it runs on; null for what conversations run on anyway.',
    example: 'Fast',
  })
  llm_profile_ref!: string | null;

  @Field(list(string()), { description: 'Always empty: no tool servers are kept.', example: [] })
  mcp_server_refs!: string[];
}

export class AgentProfileList {
  @Field(list(model(() => AgentProfileInfo)), { description: 'The profiles, by name.' })
  profiles!: AgentProfileInfo[];

  @Field(uuid(), { nullable: true, description: 'Id of the active one.', example: null })
  active_agent_profile_id!: string | null;
}

export class AgentProfileDetail {
  @Field(string(), { description: 'Its name.', example: 'Reviewer' })
  name!: string;

  @Field(model(() => AgentProfileInfo), { description: 'The profile.' })
  profile!: AgentProfileInfo;
}

const KnownName = (list: string, none: string) =>
  Field(string(), {
    description: 'Name of the profile; to activate one also its id.',
    example: 'Reviewer',
    exampleFrom: { get: list, list: 'profiles', value: 'name', none },
  });

const NewName = () => Field(profileName(), { description: 'Name of the profile.', example: 'Reviewer' });

export class AgentProfilePath {
  @KnownName('/api/agent-profiles', 'You have no profile of an agent: store one with POST.')
  name!: string;
}

export class OrgAgentProfilePath extends OrgPath {
  @KnownName(
    '/api/organizations/{org_id}/agent-profiles',
    'The organization has no profile of an agent: store one with POST.',
  )
  name!: string;
}

/** The name of a profile, which may be new. */
export class NewAgentProfilePath {
  @NewName()
  name!: string;
}

export class NewOrgAgentProfilePath extends OrgPath {
  @NewName()
  name!: string;
}

/** The fields of an agent profile. */
class AgentProfileFields {
  @Field(literal('openhands'), { optional: true, nullable: true, description: 'The only kind there is.' })
  agent_kind?: 'openhands' | null;

  @Field(string({ trim: true, maxLength: MAX_PROFILE_NAME }), {
    optional: true,
    nullable: true,
    description: 'Name of the model profile to run on.',
    example: 'Fast',
  })
  llm_profile_ref?: string | null;
}

/** Body of saving an agent profile: its fields, at the top level or in `profile`. */
export class AgentProfileSave extends AgentProfileFields {
  @Field(model(() => AgentProfileFields), {
    optional: true,
    nullable: true,
    description: 'The fields; what stands here counts more.',
  })
  profile?: AgentProfileFields | null;
}
