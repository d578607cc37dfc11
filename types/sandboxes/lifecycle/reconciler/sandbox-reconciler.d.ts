import { type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../common';
import { JobHandlers } from '../../../jobs';
import { Hosts } from '../../hosts/hosts';
import { SandboxStore } from '../../record/sandbox-store';
import { ReconcileSteps } from './reconcile-steps';
/**
 * Brings one sandbox to its desired state: a job that goes step by step until nothing is left to do. Runs
 * never overlap on one sandbox (a claim on its row), and a run that lost its claim changes nothing more
 * (docs/decisions/0017-sandbox-status-reconciled-by-a-job.md).
 */
export declare class SandboxReconciler implements OnModuleInit {
    private readonly handlers;
    private readonly hosts;
    private readonly store;
    private readonly steps;
    private readonly clock;
    constructor(handlers: JobHandlers, hosts: Hosts, store: SandboxStore, steps: ReconcileSteps, clock: Clock);
    onModuleInit(): Promise<void>;
    private reconcile;
    private takeSteps;
    /**
     * A step may take longer than a claim lasts, as fetching an image does: the claim is renewed meanwhile, so that nobody
     * else takes the same step, until the time for it is over.
     */
    private whileClaimed;
}
