import { Field, list, model, string } from '../../../kernel/validation';
import { MAX_MODEL } from '../record/text-limits';

/** Whatever its characters and their escaping, a path of this length fits into the request head. */
const MAX_PATH = 1_024;
const path = () => string({ maxLength: MAX_PATH });

/** A skill available to a conversation. */
export class ConversationSkill {
  @Field(string(), { description: 'Its name.', example: 'lint' })
  name!: string;

  @Field(string(), { description: '`repo`, `knowledge` or `agentskills`.', example: 'agentskills' })
  type!: string;

  @Field(string(), { description: 'Its text.' })
  content!: string;

  @Field(list(string()), { description: 'Words that bring it up.', example: ['changelog'] })
  triggers!: string[];
}

export class ConversationSkills {
  @Field(list(model(() => ConversationSkill)), { description: 'The skills.' })
  skills!: ConversationSkill[];
}

export class FolderQuery {
  @Field(path(), {
    description: 'A folder of the conversation; `/workspace/project` stands for its real one.',
    example: '/workspace/project',
  })
  path = '/workspace/project';
}

export class FileQuery {
  @Field(path(), { description: 'A file of the conversation.', example: '/workspace/project/README.md' })
  file_path!: string;
}

export class DiffQuery {
  @Field(path(), { description: 'A file of the conversation.', example: '/workspace/project/README.md' })
  path!: string;
}

/** A file that differs from the last commit. */
export class GitChange {
  @Field(string(), { description: '`ADDED`, `UPDATED`, `DELETED` or `MOVED`.', example: 'UPDATED' })
  status!: string;

  @Field(string(), { description: 'Where it is, below the folder.', example: 'README.md' })
  path!: string;
}

/** A file before and after its changes. */
export class GitDiff {
  @Field(string(), { nullable: true, description: 'As it is; null where it was deleted.' })
  modified!: string | null;

  @Field(string(), { nullable: true, description: 'As it was; null where it is new.' })
  original!: string | null;
}

export class SwitchProfile {
  @Field(string(), {
    description: 'Name of a model profile of yours or the organization’s.',
    example: 'Fast',
  })
  profile_name!: string;
}

export class SwitchAcpModel {
  @Field(string({ maxLength: MAX_MODEL, minLength: 1 }), { description: 'The model.', example: 'gpt-5' })
  model!: string;
}
