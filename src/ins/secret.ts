/** The secret key of an account, which encrypts its notifications. */

/** As the website of ClickBank accepts it. */
const secretForm = /^[A-Z0-9]{1,16}$/;

/** Returns what is wrong with a secret, without quoting it; undefined if it is valid. */
export function problemWithSecret(secret: string): string | undefined {
  if (secret === '') return 'The secret is empty.';
  if (secret.length > 16) return 'The secret is longer than 16 characters.';
  if (secretForm.test(secret)) return undefined;
  return 'The secret has other characters than capital letters and digits.';
}
