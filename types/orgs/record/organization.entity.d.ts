export declare class Organization {
    id: string;
    name: string;
    createdAt: Date;
}
