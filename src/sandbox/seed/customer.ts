/** Generates customers from many countries, with missing data as in the service. */
import { AWKWARD_LAST_NAMES, PLACES, type Place } from './places.ts';
import type { Random } from './random.ts';

/** The columns of `purchase` that describe a customer. */
type CustomerColumn =
  | 'first_name'
  | 'last_name'
  | 'full_name'
  | 'email'
  | 'state'
  | 'country'
  | 'postal_code'
  | keyof typeof NO_ADDRESS;

export interface Customer {
  readonly taxPercent: number;
  readonly columns: Readonly<
    Record<'currency' | 'language', string> & Record<CustomerColumn, string | null>
  >;
}

const LETTERS = 'ABCEGHJKLMNPRSTVXY'.split('');
const MAIL_HOSTS = ['example.com', 'example.org', 'example.net', 'mail.example'] as const;

const oneOf = (random: Random, texts: string) => random.pick(texts.split('|'));

function fill(random: Random, form: string): string {
  return form
    .replaceAll('#', () => String(random.integer(0, 9)))
    .replaceAll('@', () => random.pick(LETTERS));
}

function unless(gap: boolean, value: string): string | null {
  return gap ? null : value;
}

function join({ familyFirst }: Place, first: string | null, last: string | null): string | null {
  const names = familyFirst ? [last, first] : [first, last];
  return names.filter((name) => name !== null).join(familyFirst ? '' : ' ') || null;
}

/** Derives the address from Latin names; other names get a generated address. */
function emailOf(random: Random, first: string, last: string): string {
  const plain = `${first}.${last}`
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z.]/g, '');
  const name = plain.length > 4 ? plain : oneOf(random, 'sunny|blue.sky|hello|green+mail|it_s-me');
  return `${name}${random.integer(1, 999)}@${random.pick(MAIL_HOSTS)}`;
}

function addressOf(random: Random, place: Place) {
  return {
    phone: fill(random, place.phone),
    address1: `${random.integer(1, 299)} ${oneOf(random, place.streets)}`,
    address2: random.chance(0.2) ? `Apt ${random.integer(1, 40)}` : null,
    city: oneOf(random, place.cities),
    county: random.chance(0.05) ? 'Ada' : null,
  };
}

const NO_ADDRESS = { phone: null, address1: null, address2: null, city: null, county: null };

/** Customers of physical products have a full address; others often have no postal code. */
export function generateCustomer(random: Random, shipped: boolean): Customer {
  const place = random.weigh(PLACES);
  const first = oneOf(random, place.first);
  const last = random.chance(0.02) ? random.pick(AWKWARD_LAST_NAMES) : oneOf(random, place.last);
  const gap = (probability: number) => !shipped && random.chance(probability);
  const firstName = unless(gap(0.01), first);
  const lastName = unless(gap(0.015), last);
  const columns = {
    currency: place.currency ?? 'USD',
    language: place.language ?? 'EN',
    first_name: firstName,
    last_name: lastName,
    full_name: join(place, firstName, lastName),
    email: unless(gap(0.01), emailOf(random, first, last)),
    ...(shipped ? addressOf(random, place) : NO_ADDRESS),
    state: place.states && !gap(0.2) ? oneOf(random, place.states) : null,
    country: unless(gap(0.004), place.country),
    postal_code: place.postal && !gap(0.3) ? fill(random, place.postal) : null,
  };
  return { taxPercent: place.taxPercent ?? 0, columns };
}
