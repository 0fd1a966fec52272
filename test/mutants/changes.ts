/** Small changes of code that a test should notice. */
import { parseAst } from 'vitest/node';

export interface Change {
  readonly file: string;
  readonly line: number;
  readonly kind: 'comparison' | 'condition' | 'dropped call' | 'dropped await' | 'dropped guard';
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

const flipped: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '&&': '||', '||': '&&' },
};

/** All changes of a file, in the order of the code. */
export function changesOf(file: string, code: string): Change[] {
  const found: Change[] = [];
  const add = (kind: Change['kind'], { start, end }: Node, after: string) => {
    const line = code.slice(0, start).split('\n').length;
    found.push({ file, line, kind, start, end, before: code.slice(start, end), after });
  };
  const textOf = ({ start, end }: Node) => code.slice(start, end);
  visit(parseAst(code, { lang: 'ts' }) as unknown as Node, (node) => {
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const [left, right] = [node.left as Node, node.right as Node];
      const operator = flipped[String(node.operator)];
      if (operator === undefined) return;
      const kind = node.type === 'BinaryExpression' ? 'comparison' : 'condition';
      const between = code.slice(left.end, right.start).replace(String(node.operator), operator);
      add(kind, node, `(${textOf(left)}${between}${textOf(right)})`);
    } else if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      const test = node.test as Node;
      add('condition', test, `!(${textOf(test)})`);
      const isGuard = node.type === 'IfStatement' && !node.alternate;
      if (isGuard && isExit(node.consequent as Node)) add('dropped guard', node, ';');
    } else if (node.type === 'ExpressionStatement') {
      if (isCall(node.expression as Node)) add('dropped call', node, ';');
    } else if (node.type === 'AwaitExpression') {
      add('dropped await', node, `(${textOf(node.argument as Node)})`);
    }
  });
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

function isExit(node: Node): boolean {
  if (node.type !== 'BlockStatement') return /^(?:Return|Throw|Continue|Break)/.test(node.type);
  const [first, second] = node.body as readonly Node[];
  return first !== undefined && second === undefined && isExit(first);
}

function isCall({ type, argument }: Node): boolean {
  return type === 'AwaitExpression' ? isCall(argument as Node) : type === 'CallExpression';
}

/** Types are not visited. */
function visit(node: Node, enter: (node: Node) => void): void {
  enter(node);
  for (const [name, value] of Object.entries(node)) {
    if (/^(?:typeAnnotation|typeParameters|typeArguments|returnType)$/.test(name)) continue;
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (typeof inner === 'object' && inner !== null && 'type' in inner) visit(inner, enter);
    }
  }
}
