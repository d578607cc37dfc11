import { Repository } from 'typeorm';
import { Clock } from '../../../common';
import { Sandbox } from '../../record/sandbox.entity';
/** Records when sandboxes were last used. */
export declare class SandboxActivity {
    private readonly sandboxes;
    private readonly clock;
    private readonly recordedAtMs;
    private readonly log;
    constructor(sandboxes: Repository<Sandbox>, clock: Clock);
    /** Records a use of a sandbox, in the background. Never throws. */
    touch(id: string): void;
}
