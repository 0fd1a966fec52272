/** Whether keys and base URLs have the form that they need; what is told never quotes them. */
import { failureFrom } from '../failure.ts';
import { type Finding, fault, fine, warning } from './finding.ts';

/** Looks at a key without asking the service; `whole` is found where nothing is wrong with it. */
export function keyForm(check: string, key: string, whole: string, fix: string): Finding {
  if (key === '') return fault(check, 'the key is empty', fix);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return fault(check, 'the key holds a space, a line break or a strange character', fix);
  }
  if (/^(API|DEV)-/.test(key)) return fine(check, whole);
  return warning(check, `${whole}; keys of the service begin with 'API-', this one doesn't`, fix);
}

/** A base URL in its one form, or why it is none. */
export type Service = { readonly url: string } | { readonly problem: string };

/** What is wrong is told without the text, since a key may have been pasted there. */
export async function serviceAt(text: string): Promise<Service> {
  const { baseUrlFrom } = await import('../../api/origin.ts');
  try {
    return { url: baseUrlFrom(text) };
  } catch (error) {
    const { message } = failureFrom(error);
    return { problem: text === '' ? message : message.replaceAll(text, '…') };
  }
}
