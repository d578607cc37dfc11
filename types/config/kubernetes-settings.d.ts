import { z } from 'zod';
/** The cluster of the `kubernetes` driver. */
export declare const kubernetesSettings: {
    KUBERNETES_NAMESPACE: z.ZodOptional<z.ZodString>;
    KUBERNETES_POD_ACCESS: z.ZodOptional<z.ZodEnum<{
        address: "address";
        proxy: "proxy";
    }>>;
    KUBERNETES_POD_TEMPLATE: z.ZodOptional<z.ZodString>;
    KUBERNETES_STORAGE_CLASS: z.ZodOptional<z.ZodString>;
    KUBERNETES_ADMITTED_PODS: z.ZodDefault<z.ZodString>;
    KUBERNETES_ORGANIZATION_QUOTA: z.ZodPipe<z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<unknown, string>>, z.ZodRecord<z.ZodString, z.ZodString>>;
};
