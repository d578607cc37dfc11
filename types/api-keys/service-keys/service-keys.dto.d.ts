/** Path of the keys of a user in an organization. */
export declare class ServiceKeyPath {
    user_id: string;
    org_id: string;
}
/** Body of `POST /api/service/users/{user_id}/orgs/{org_id}/api-keys`. */
export declare class ServiceKeyCreate {
    name: string;
}
/** A key for another service, with its text. */
export declare class ServiceKeyCreated {
    id: number;
    key: string;
    name: string;
    user_id: string;
    org_id: string;
    expires_at: string;
}
