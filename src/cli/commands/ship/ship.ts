/** `cb ship …` and `cb ship notice …`: three generations of the service, selected by --generation. */
import {
  notices,
  notices2,
  notices3,
  shipping,
  shipping2,
  shipping3,
} from '../../../operations/shipping.ts';
import { endpointCommands } from '../../endpoint/endpoint-command.ts';
import { allowDuplicateOption } from '../../flags/flags.ts';
import type { GroupSpec } from '../../runtime/define.ts';
import { shipImport } from './import.ts';
import { shipView } from './ship-view.ts';

const services = [shipping, shipping2, shipping3, notices, notices2, notices3];

export const ship: GroupSpec = {
  words: 'ship',
  help: {
    asks: true,
    examples: [
      'cb ship list --status notshipped',
      'cb ship notice add PARCEL01 --carrier USPS --date today --dry-run',
    ],
    topics: ['safety', 'output'],
  },
  commands: endpointCommands(services.flatMap(Object.values), {
    special: {
      'ship list': {
        view: shipView,
        examples: ['cb ship list --period last-30-days --expand lineItemShipData -o csv'],
      },
      'ship notice add': { flags: [allowDuplicateOption()] },
      'ship notice schema': { next: shipImport },
    },
    groups: { notice: 'Create and list ship notices' },
    variants: 'API generation',
  }),
};
