export declare function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T>;
