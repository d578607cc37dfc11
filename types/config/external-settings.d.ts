import { z } from 'zod';
/** Models, mail, marketplaces and webhooks. */
export declare const externalSettings: {
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
};
