/** `cb ship …` and `cb ship notice …`: three generations of the service behind one flag. */
import type { Command } from 'commander';
import type { Operation } from '../../operations/operation.ts';
import {
  notices,
  notices2,
  notices3,
  shipping,
  shipping2,
  shipping3,
} from '../../operations/shipping.ts';
import { newCommand } from '../command.ts';
import { addVariants } from '../endpoint-command.ts';
import type { EndpointOptions } from '../endpoint-read.ts';
import { allowDuplicateOption } from '../flags.ts';
import { teach } from '../help/lesson.ts';
import type { Call } from '../shell.ts';
import { addShipImport } from './ship-import.ts';

export function addShip(group: Command, call: Call): void {
  teach(group, () => ({
    asks: true,
    examples: [
      'cb ship list --status notshipped',
      'cb ship notice add PARCEL01 --carrier USPS --date today --dry-run',
    ],
    topics: ['safety', 'output'],
  }));
  const add = (
    to: Command,
    first: Operation,
    second: Operation,
    third: Operation,
    options: EndpointOptions = {},
  ) => {
    const operations = { 1: first, 2: second, 3: third };
    const summary = 'Generation of the service';
    addVariants(to, call, { flag: 'generation', summary, operations, fallback: '3' }, options);
  };
  const counts = new Map([shipping, shipping2, shipping3].map(({ list, count }) => [list, count]));
  add(group, shipping.list, shipping2.list, shipping3.list, { counts });
  add(group, shipping.count, shipping2.count, shipping3.count);
  add(group, shipping.schema, shipping2.schema, shipping3.schema);
  const notice = newCommand(call.context, 'notice').description(
    'Tell what was shipped, and read it',
  );
  const flags = [allowDuplicateOption()];
  add(notice, notices.add, notices2.add, notices3.add, { flags });
  add(notice, notices.list, notices2.list, notices3.list);
  add(notice, notices.schema, notices2.schema, notices3.schema);
  addShipImport(notice, call);
  group.addCommand(notice);
}
