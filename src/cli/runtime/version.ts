/** The version of the package; the build writes it in, so that nothing is read at start. */
declare const CB_VERSION: string | undefined;

export const version = typeof CB_VERSION === 'string' ? CB_VERSION : 'source';
