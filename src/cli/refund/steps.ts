/** Runs questions one after the other; a person can go back through them. */

/** The person wants the previous question again. */
export const back = Symbol('back');
/** The question does not apply. */
export const skip = Symbol('skip');

export type Back = typeof back;

/** Asks one thing, or shows something and skips. */
export type Step<Draft> = (draft: Draft) => Promise<StepEnd<Draft>>;

/** The draft with the answer; `silently` where something was filled in without a question. */
export type StepEnd<Draft> = Draft | Back | typeof skip | { readonly silently: Draft };

/**
 * Runs the steps in order. Going back repeats the last step that asked a question, with the draft as it
 * was then; at the first question it repeats that one.
 */
export async function runSteps<Draft extends object>(
  steps: readonly Step<Draft>[],
  start: Draft,
): Promise<Draft> {
  const asked: { readonly at: number; readonly draft: Draft }[] = [];
  let draft = start;
  let at = 0;
  for (let step = steps[at]; step; step = steps[at]) {
    const end = await step(draft);
    if (end === back) {
      const before = asked.pop() ?? { at: 0, draft: start };
      at = before.at;
      draft = before.draft;
      continue;
    }
    if (end !== skip && 'silently' in end) draft = end.silently;
    else if (end !== skip) {
      asked.push({ at, draft });
      draft = end;
    }
    at += 1;
  }
  return draft;
}
