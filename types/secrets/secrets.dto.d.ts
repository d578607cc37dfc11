/** Path of operations on one secret. */
export declare class SecretPath {
    secret_name: string;
}
/** Body of `POST /api/v1/secrets`. */
export declare class SecretCreate {
    name: string;
    value: string;
    description?: string | null;
}
/** Body of `PUT /api/v1/secrets/{secret_name}`. */
export declare class SecretUpdate {
    name: string;
    description?: string | null;
    value?: string | null;
}
/** A secret without its value. */
export declare class SecretInfo {
    name: string;
    description: string | null;
}
export declare class SecretPage {
    items: SecretInfo[];
    next_page_id: string | null;
}
export declare class SecretSearch {
    page_id?: string;
    name__contains?: string;
    limit: number;
}
