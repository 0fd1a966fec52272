/** What is wrong with the arguments of an operation. */

/** A remark about the arguments; `{name}` in the text stands for a parameter. */
export interface Remark {
  readonly param: string | undefined;
  readonly says: string;
  /** What the parameter takes instead, as in `a whole number`. */
  readonly accepts?: string;
  /** A problem prevents the request; a note is only shown. */
  readonly weight: 'problem' | 'note';
  /** A value for the parameter resolves the problem, so that a person can be asked for it. */
  readonly isMissing?: boolean;
}

export interface Finding extends Remark {
  readonly code:
    | 'unknown-parameter'
    | 'missing'
    | 'empty'
    | 'control-character'
    | 'wrong-kind'
    | 'not-a-choice'
    | 'wrong-pattern'
    | 'out-of-range'
    | 'reversed-period'
    /** A rule across several parameters: the `check` of the operation. */
    | 'rule';
  /** The value that is wrong. */
  readonly value?: unknown;
}
