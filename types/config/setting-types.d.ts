import { z } from 'zod';
/** A positive whole number. */
export declare const positive: (fallback: number) => z.ZodDefault<z.ZodCoercedNumber<unknown>>;
/** A limit of requests in a minute; 0 for none. */
export declare const perMinute: (fallback: number) => z.ZodDefault<z.ZodCoercedNumber<unknown>>;
export declare const optionalText: z.ZodOptional<z.ZodString>;
export declare const httpUrl: z.ZodURL;
/** A setting with JSON, checked against a schema. */
export declare function json<Schema extends z.ZodType>(schema: Schema, fallback: string): z.ZodPipe<z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<unknown, string>>, Schema>;
/** A list, separated by commas. */
export declare const commaList: z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<string[], string>>;
