/** `cb ship …` and `cb ship notice …`: three generations of the service, selected by --generation. */
import type { Command } from 'commander';
import {
  notices,
  notices2,
  notices3,
  shipping,
  shipping2,
  shipping3,
} from '../../../operations/shipping.ts';
import { addEndpoints } from '../../endpoint/endpoint-command.ts';
import { allowDuplicateOption } from '../../flags/flags.ts';
import { addHelp } from '../../help/help-text.ts';
import type { Call } from '../../runtime/command-context.ts';
import { addShipImport } from './import.ts';
import { shipView } from './ship-view.ts';

export function addShip(group: Command, call: Call): void {
  addHelp(group, () => ({
    asks: true,
    examples: [
      'cb ship list --status notshipped',
      'cb ship notice add PARCEL01 --carrier USPS --date today --dry-run',
    ],
    topics: ['safety', 'output'],
  }));
  const services = [shipping, shipping2, shipping3, notices, notices2, notices3];
  addEndpoints(group, call, services.flatMap(Object.values), {
    special: {
      'ship list': {
        view: shipView,
        examples: ['cb ship list --period last-30-days --expand lineItemShipData -o csv'],
      },
      'ship notice add': { flags: [allowDuplicateOption()] },
      'ship notice schema': { addNext: addShipImport },
    },
    groups: { notice: 'Create and list ship notices' },
    variants: 'API generation',
  });
}
