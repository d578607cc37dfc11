import { z } from 'zod';
/** Addresses, storage, keys and the first user. */
export declare const serviceSettings: {
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
};
