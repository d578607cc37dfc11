import { z } from 'zod';
/**
 * Says of a field of domain events what it is, and gives an example: for the documents, which are made of it.
 * @param also further keywords of its JSON schema
 */
export declare function field<Schema extends z.ZodType>(schema: Schema, description: string, example: unknown, also?: Readonly<Record<string, unknown>>): Schema;
/** A field with an id. */
export declare const id: (description: string, example: string) => z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
/** A field with an id, or null. */
export declare const idOrNull: (description: string, example: string) => z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
/** A field with a text. */
export declare const text: (description: string, example: string) => z.ZodString;
/** A field with a text, or null, which is its example. */
export declare const textOrNull: (description: string) => z.ZodNullable<z.ZodString>;
/** A field with names of what was changed. */
export declare const names: (description: string, ...example: readonly string[]) => z.ZodArray<z.ZodString>;
/** A field with a number of the database. */
export declare const serial: (description: string, example: number) => z.ZodInt;
export declare const orgId: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
export declare const userId: (description: string) => z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
export declare const conversation: {
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
};
export declare const message: {
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    queue_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    message_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
};
export declare const invitation: {
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    invitation_id: z.ZodInt;
    role: z.ZodString;
};
export declare const member: {
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
};
export declare const apiKey: {
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    api_key_id: z.ZodInt;
};
export declare const sandboxId: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
export declare const settings: {
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
};
export declare const webhook: {
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
};
