import { AppError } from '../../common';
/** 404: the organization has no such connection. */
export declare class ConnectionNotFoundError extends AppError {
    constructor();
}
/** 409: there is one for this provider already. */
export declare class ConnectionExistsError extends AppError {
    constructor();
}
/** 409: the limit of connections per organization is reached. */
export declare class TooManyConnectionsError extends AppError {
    constructor(limit: number);
}
