import { type Caller, type OrgContext } from '../../auth';
import { AvailableSkillPage, SkillSearch } from './available-skills.dto';
import { AvailableSkillsService } from './available-skills.service';
export declare class AvailableSkillsController {
    private readonly skills;
    constructor(skills: AvailableSkillsService);
    searchSkills({ userId }: Caller, { orgId }: OrgContext, query: SkillSearch): Promise<AvailableSkillPage>;
}
