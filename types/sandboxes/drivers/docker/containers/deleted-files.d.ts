/**
 * How much of the volumes of containers on this host is in files that were deleted while programs have them open. Of what a
 * program holds otherwise, as in its memory or on its way to another one, nothing is known.
 * @param users those of the containers
 */
export declare function deletedFileBytes(users: ReadonlySet<number>): Promise<ReadonlyMap<number, number>>;
