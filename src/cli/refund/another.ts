/** The question at the end of the wizard, and how a later round ends. */
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import type { WizardContext } from './wizard-context.ts';

/** Ctrl-C leaves, too: everything is done. */
export async function hasAnother({ prompts, messages }: WizardContext): Promise<boolean> {
  messages.say('');
  try {
    return await prompts.confirm('Another customer?');
  } catch (error) {
    if (error instanceof Error && interruptions.includes(error.name)) return false;
    throw error;
  }
}

/** The errors of a prompt that Ctrl-C or a signal ends. */
const interruptions: readonly string[] = ['ExitPromptError', 'AbortPromptError'];

/** The messages for the first customer would say that nothing was sent. */
export async function afterAnother(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isEnd = error instanceof Error && interruptions.includes(error.name);
    const failure = error instanceof Failure ? error : undefined;
    if (isEnd) throw new Failure(exitCodes.interrupted, 'Interrupted. Nothing more was sent.');
    if (failure?.code === exitCodes.declined) {
      throw new Failure(exitCodes.declined, 'Canceled. Nothing more was sent.');
    }
    throw error;
  }
}
