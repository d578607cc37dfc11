import { z } from 'zod';
/** The sandbox drivers that come with the service. */
export declare const SANDBOX_DRIVERS: readonly string[];
/** Every setting of the service: its name in the environment, its check, its default and its meaning. */
export declare const settingsSchema: z.ZodObject<{
    JOB_LEASE_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    METRICS_TOKEN: z.ZodOptional<z.ZodString>;
    LOG_LEVEL: z.ZodDefault<z.ZodEnum<{
        error: "error";
        info: "info";
        fatal: "fatal";
        warn: "warn";
        debug: "debug";
        trace: "trace";
        silent: "silent";
    }>>;
    SEND_TIMEOUT_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DELIVERY_SETTLE_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    MAX_SANDBOXES: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    MAX_SANDBOXES_PER_ORG: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SANDBOX_IDLE_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SANDBOX_START_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    INVITE_ADDRESSES_PER_HOUR: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    INVITE_CALLS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    READ_CALLS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SEND_CALLS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    LIFECYCLE_CALLS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    WEBHOOK_CALLS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    PUBLIC_CALLS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    FAILED_CREDENTIALS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    SANDBOX_ACCESS: z.ZodOptional<z.ZodEnum<{
        direct: "direct";
        mixed: "mixed";
        door: "door";
    }>>;
    DOOR_CALLS_PER_MINUTE: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DOOR_CONNECTIONS_PER_SANDBOX: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DOOR_CONNECTIONS_PER_USER: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DOOR_MEBIBYTES_PER_SANDBOX: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DOOR_MEBIBYTES_PER_USER: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DOOR_IDLE_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DOOR_PING_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    KEEP_ALIVE_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    STOP_DELAY_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    TRUSTED_HOPS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    EARLY_QUEUE_MEBIBYTES: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    MESSAGE_MEBIBYTES_PER_USER: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    MESSAGE_MEBIBYTES_PER_ORG: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DELIVERED_DAYS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    DELIVERED_MEBIBYTES_PER_ORG: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    EVENT_MEBIBYTES_PER_CONVERSATION: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    EVENT_MEBIBYTES_PER_ORG: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    LLM_MODEL: z.ZodOptional<z.ZodString>;
    LLM_BASE_URL: z.ZodOptional<z.ZodURL>;
    LLM_API_KEY: z.ZodOptional<z.ZodString>;
    SMTP_URL: z.ZodOptional<z.ZodURL>;
    MAIL_FROM: z.ZodOptional<z.ZodString>;
    INSTANCE_MARKETPLACES: z.ZodPipe<z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<unknown, string>>, z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        source: z.ZodString;
        ref: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        repo_path: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        auto_load: z.ZodDefault<z.ZodBoolean>;
    }, z.core.$strip>>>;
    GIT_ALLOWED_HOSTS: z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<string[], string>>;
    GIT_LOCAL_ROOT: z.ZodOptional<z.ZodString>;
    GIT_CREDENTIALS: z.ZodPipe<z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<unknown, string>>, z.ZodArray<z.ZodObject<{
        url_prefix: z.ZodString;
        org_id: z.ZodOptional<z.ZodString>;
        username: z.ZodString;
        password: z.ZodString;
    }, z.core.$strip>>>;
    MARKETPLACE_FETCH_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    MARKETPLACE_CALL_SECONDS: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    MARKETPLACE_MAX_MEBIBYTES: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    MARKETPLACE_MAX_FILES: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    WEBHOOK_ALLOWED_HOSTS: z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<string[], string>>;
    KUBERNETES_NAMESPACE: z.ZodOptional<z.ZodString>;
    KUBERNETES_POD_ACCESS: z.ZodOptional<z.ZodEnum<{
        address: "address";
        proxy: "proxy";
    }>>;
    KUBERNETES_POD_TEMPLATE: z.ZodOptional<z.ZodString>;
    KUBERNETES_STORAGE_CLASS: z.ZodOptional<z.ZodString>;
    KUBERNETES_ADMITTED_PODS: z.ZodDefault<z.ZodString>;
    KUBERNETES_ORGANIZATION_QUOTA: z.ZodPipe<z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<unknown, string>>, z.ZodRecord<z.ZodString, z.ZodString>>;
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
    PORT: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    HOST: z.ZodDefault<z.ZodString>;
    PUBLIC_URL: z.ZodOptional<z.ZodURL>;
    WEB_UI: z.ZodDefault<z.ZodEnum<{
        off: "off";
        on: "on";
    }>>;
    CORS_ORIGINS: z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<string[], string>>;
    CALLBACK_URL: z.ZodOptional<z.ZodURL>;
    SANDBOX_HOST: z.ZodDefault<z.ZodString>;
    SANDBOX_PUBLIC_URL: z.ZodOptional<z.ZodString>;
    DATABASE_URL: z.ZodOptional<z.ZodString>;
    DATABASE_DIRECT_URL: z.ZodOptional<z.ZodString>;
    DATA_DIR: z.ZodDefault<z.ZodString>;
    EXTENSIONS: z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<string[], string>>;
    APP_ROLE: z.ZodDefault<z.ZodEnum<{
        all: "all";
        api: "api";
        worker: "worker";
    }>>;
    SECRET_KEY: z.ZodOptional<z.ZodString>;
    SECRET_KEYS_OLD: z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<string[], string>>;
    SERVICE_API_KEY: z.ZodOptional<z.ZodString>;
    BOOTSTRAP_EMAIL: z.ZodDefault<z.ZodEmail>;
    BOOTSTRAP_ORG: z.ZodDefault<z.ZodString>;
    BOOTSTRAP_KEY: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
/** All settings, read and checked, under the names of their environment variables. */
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
/** Injection token of {@link Settings}. */
export declare const SETTINGS: unique symbol;
/** The environment has invalid settings; `problems` has one line for each. */
export declare class SettingsError extends Error {
    readonly problems: readonly string[];
    constructor(problems: readonly string[]);
}
/**
 * Reads the settings from environment variables; an empty variable counts as not set.
 * @param drivers names of all sandbox drivers
 * @throws SettingsError with one line per problem
 */
export declare function readSettings(env: Readonly<Record<string, string | undefined>>, drivers?: readonly string[]): Settings;
