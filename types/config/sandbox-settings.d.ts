import { z } from 'zod';
/** Where sandboxes run. */
export declare const sandboxSettings: {
    SANDBOX_DRIVER: z.ZodDefault<z.ZodString>;
    SANDBOX_ISOLATION: z.ZodDefault<z.ZodEnum<{
        none: "none";
        users: "users";
    }>>;
    AGENT_SERVER_COMMAND: z.ZodDefault<z.ZodString>;
    SANDBOX_IMAGE: z.ZodOptional<z.ZodString>;
    SANDBOX_MEMORY_MEBIBYTES: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SANDBOX_CPUS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SANDBOX_PROCESSES: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SANDBOX_DISK_MEBIBYTES: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SANDBOX_INTERNET: z.ZodDefault<z.ZodEnum<{
        off: "off";
        on: "on";
    }>>;
    SANDBOX_WARM: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DOCKER_HOST: z.ZodDefault<z.ZodString>;
    DOCKER_CERT_PATH: z.ZodOptional<z.ZodString>;
    DOCKER_PUBLISH_ADDRESS: z.ZodOptional<z.ZodUnion<readonly [z.ZodIPv4, z.ZodIPv6]>>;
    DOCKER_SUBNETS: z.ZodDefault<z.ZodCIDRv4>;
    AGENT_SERVER_URL: z.ZodOptional<z.ZodURL>;
    AGENT_SERVER_API_KEY: z.ZodOptional<z.ZodString>;
    EXTERNAL_ORG_ID: z.ZodOptional<z.ZodString>;
};
