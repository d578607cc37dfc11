import { type OnModuleInit } from '@nestjs/common';
/** The git of this machine. Without a usable one nothing is fetched, and the log warns at start. */
export declare class InstalledGit implements OnModuleInit {
    private readonly logger;
    private problem;
    onModuleInit(): Promise<void>;
    /** @throws RegistrationProblem when git is missing or too old; checked again each time */
    assertUsable(): Promise<void>;
}
