/** The version of the package. The build inserts it, so that nothing is read at startup. */
declare const CB_VERSION: string | undefined;

export const version = typeof CB_VERSION === 'string' ? CB_VERSION : 'source';
