/** The tool `add_ship_notice`. */
import { notices2 } from '../../operations/shipping.ts';
import { argumentsFor, inputOf } from '../rows/arguments.ts';
import type { Tool } from '../tool.ts';
import { planOutput, planTexts } from './plan-output.ts';
import { runWrite } from './write-call.ts';

const { add } = notices2;

export const addShipNotice: Tool = {
  name: 'add_ship_notice',
  title: 'Add a ship notice',
  description: 'Plan a ship notice for an order of physical goods, and ask the person.',
  writes: true,
  writtenByOthers: planTexts,
  input: inputOf(argumentsFor(add.params), ['receipt', 'date', 'carrier']),
  output: planOutput,
  run: (args, call) => runWrite(add, args, call),
};
