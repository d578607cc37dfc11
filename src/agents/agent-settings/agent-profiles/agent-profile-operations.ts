import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ProfileOperations } from '../record/profile-operations';
import { AgentProfileDetail, AgentProfileList, AgentProfileSave } from './agent-profiles.dto';

/** What the operations on users' and on organizations' agent profiles say differently. */
interface Wording {
  /** Whose profiles they are, as in `your`. */
  readonly whose: string;
  /** Says that there is no such profile. */
  readonly unknown: string;
  /** Says which one counts without a choice. */
  readonly byDefault: string;
  /** Says what activating does. */
  readonly activation: string;
}

/** Documents the operations on agent profiles. */
export class AgentProfileOperations {
  private readonly operations: ProfileOperations;

  /** @param ofUsers whether they are users' profiles, which may apply to all organizations */
  constructor(
    private readonly wording: Wording,
    ofUsers: boolean,
  ) {
    this.operations = new ProfileOperations(wording.unknown, ofUsers);
  }

  list(): MethodDecorator {
    return applyDecorators(
      ApiOperation({
        summary: `List ${this.wording.whose} agent profiles`,
        description: `By name. A start request names one by its id; ${this.wording.byDefault}`,
      }),
      ApiOkResponse({ type: AgentProfileList, description: 'The profiles.' }),
    );
  }

  get(): MethodDecorator {
    return this.operations.get(this.described('Read', 'By its name.'), AgentProfileDetail);
  }

  save(): MethodDecorator {
    return this.operations.save(this.described('Save', 'A new one, or a change of the one of this name.'), {
      type: AgentProfileSave,
      examples: { 'An agent on a model profile': { value: { llm_profile_ref: 'Fast' } } },
    });
  }

  rename(): MethodDecorator {
    return this.operations.rename(this.described('Rename', 'Its id stays.'));
  }

  activate(): MethodDecorator {
    const description = `By its id or its name. ${this.wording.activation}`;
    return this.operations.activate(this.described('Activate', description));
  }

  delete(): MethodDecorator {
    return this.operations.delete(this.described('Delete', 'Its model profile stays.'));
  }

  private described(verb: string, description: string) {
    return { summary: `${verb} one of ${this.wording.whose} agent profiles`, description };
  }
}
