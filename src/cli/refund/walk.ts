/** Questions in a row, through which a person goes forth and back. */

/** The person wants the question before. */
export const back = Symbol('back');
/** The question does not apply, or has but one answer. */
export const skip = Symbol('skip');

export type Back = typeof back;

/** Asks one thing, or only shows something and skips. */
export type Step<Draft> = (draft: Draft) => Promise<StepEnd<Draft>>;

/** A draft goes on with what was answered; a skipped question may still fill something in. */
export type StepEnd<Draft> = Draft | Back | typeof skip | { readonly silently: Draft };

/**
 * Goes through the steps; back leads to the last one that asked something, with what was known
 * then. At the first one it asks that again.
 */
export async function walk<Draft extends object>(
  steps: readonly Step<Draft>[],
  start: Draft,
): Promise<Draft> {
  const trail: { readonly at: number; readonly draft: Draft }[] = [];
  let draft = start;
  let at = 0;
  for (let step = steps[at]; step; step = steps[at]) {
    const end = await step(draft);
    if (end === back) {
      const before = trail.pop() ?? { at: 0, draft: start };
      at = before.at;
      draft = before.draft;
      continue;
    }
    if (end !== skip && 'silently' in end) draft = end.silently;
    else if (end !== skip) {
      trail.push({ at, draft });
      draft = end;
    }
    at += 1;
  }
  return draft;
}
