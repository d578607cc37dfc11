import type { SandboxView } from '../record/sandbox.ports';
import type { Sandbox } from '../record/sandbox.entity';
import type { SandboxInfo } from './sandboxes.dto';
/** A sandbox as its creator sees it. */
export declare function sandboxInfo(sandbox: Sandbox, view: Pick<SandboxView, 'publicUrl' | 'sessionApiKey'>): SandboxInfo;
