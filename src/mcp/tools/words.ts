/** Words that several tools use. */

/** As in `1 ticket` and `3 tickets`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function moreOf(next: string | undefined): string {
  return next === undefined ? '' : ', and there are more: pass next as cursor';
}
